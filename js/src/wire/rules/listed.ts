/** The rows that come along with rules, to be listed: where they stand in the study, what is decided, their values. */

import { type Bytes, float32, uint32 } from "../buffers";
import { flag, type Infer, list, number, object, oneOf, text, texts, WireError } from "../schema";
import type { Answer } from "./rules";

const listedColumn = object({
  name: text,
  /** Values are numbers, codes of `levels`, or whole days since 1970. */
  kind: oneOf("number", "levels", "date", "duration"),
  whole: flag,
  levels: texts,
});
export type ListedColumn = Infer<typeof listedColumn>;

const listedMessage = object({
  columns: list(listedColumn),
  /** Empty for a regression. */
  classes: texts,
  /** What scores are called; "" where there are none. */
  score: text,
  probability: flag,
  /** The rows there are, of which those listed may be a sample. */
  n_study: number,
});

export interface Listed extends Infer<typeof listedMessage> {
  /** Positions in the study, in the order of the answer's buffers. */
  readonly places: Uint32Array;
  readonly decided: Float32Array;
  readonly scores: Float32Array | null;
  /** Of each column. */
  readonly entries: readonly Float32Array[];
}

export type ListedTraits = {
  listed: unknown;
  places: Bytes;
  decided: Bytes;
  scores: Bytes;
  entries: Bytes;
};

/** Message and buffers together, their lengths checked against the answer's. */
export function decodeListed(traits: ListedTraits, { n_rows: n }: Answer): Listed {
  const message = listedMessage(traits.listed, "listed");
  const places = uint32("places", traits.places);
  if (places.length !== n)
    throw new WireError(`"places" must hold ${n} positions, received ${places.length}`);
  const entries = float32("entries", traits.entries, n * message.columns.length);
  return {
    ...message,
    places,
    decided: float32("decided", traits.decided, n),
    scores: message.score ? float32("scores", traits.scores, n) : null,
    entries: message.columns.map((_, k) => entries.subarray(k * n, (k + 1) * n)),
  };
}
