/** The rows that come along with rules, to be listed: where they stand in the study, what is decided, their values. */

import { type Bytes, float32, rowsOf, uint32 } from "../buffers";
import { type RulesListedMessage, rulesListedMessage } from "../messages";
import { WireError } from "../schema";
import type { Answer } from "./rules";

export interface Listed extends RulesListedMessage {
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
  const message = rulesListedMessage(traits.listed, "listed");
  const places = uint32("places", traits.places);
  if (places.length !== n)
    throw new WireError(`"places" must hold ${n} positions, received ${places.length}`);
  const entries = rowsOf(float32("entries", traits.entries, n * message.columns.length), n);
  return {
    ...message,
    places,
    decided: float32("decided", traits.decided, n),
    scores: message.score ? float32("scores", traits.scores, n) : null,
    entries: message.columns.map((_, k) => entries(k)),
  };
}
