/** The messages of the view of a pooled boundary: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, type Interval, mapValues, uint8, uint32, VALUES } from "../buffers";
import { decodeColumns } from "../columns";
import {
  type PooledAnswerMessage,
  type PooledBoundaryViewTraits,
  type PooledMessage,
  pooledAnswerMessage,
  pooledMessage,
} from "../messages";
import { type Bytes, isWaiting, unlessEmpty, WireError } from "../schema";

/** By feature. */
export type Weights = Interval<Float64Array>;

/** Pooled weights, and their parts from rows that have a feature and rows that have not. */
export type Pooled = Readonly<Record<"direction" | "present" | "absent", Weights>>;

export interface RowDirections {
  /** Which of the study's rows each is. */
  readonly places: Uint32Array;
  /** [row][feature], the largest entry of a row 1. */
  readonly directions: Float32Array;
  /** [row][parted feature], 1 where the row has it. */
  readonly presence: Uint8Array;
}

export interface PooledRows extends RowDirections {
  /** Of the point found. */
  readonly distances: Float32Array;
  /** What each is predicted, a place among the labels. */
  readonly decisions: Uint32Array;
}

export type PooledData = ReturnType<typeof decodePooled>;

function decodeWeights(name: string, bytes: Bytes, { layout, features }: PooledMessage): Pooled {
  const values = arraysOf(name, float32(name, bytes), layout, VALUES, { part: 3, feature: features.length });
  const part = (k: number) => mapValues(values, (read) => Float64Array.from(read({ part: k })));
  return { direction: part(0), present: part(1), absent: part(2) };
}

const ROWS = ["places", "directions", "presence", "distances", "decisions"] as const;

function decodeRows(
  { features, parted, n_rows, labels }: PooledMessage,
  traits: Pick<PooledBoundaryViewTraits, (typeof ROWS)[number]>,
): PooledRows {
  const places = uint32("places", traits.places);
  const n = places.length;
  if (places.some((place) => place >= n_rows)) throw new WireError(`"places" must lie below ${n_rows}`);
  const decisions = uint32("decisions", traits.decisions);
  if (decisions.length !== n || decisions.some((code) => code >= labels.length)) {
    throw new WireError(`"decisions" must be ${n} places among ${labels.length} labels`);
  }
  return {
    places,
    directions: float32("directions", traits.directions, n * features.length),
    presence: uint8("presence", traits.presence, n * parted.length),
    distances: float32("distances", traits.distances, n),
    decisions,
  };
}

export const DATA = [
  "message",
  "pooled",
  ...ROWS,
  "given_rows",
  "columns_message",
  "columns",
  "row_weights",
] as const;

/** What stays while the view is shown, lengths checked against each other. */
export function decodePooled(traits: Pick<PooledBoundaryViewTraits, (typeof DATA)[number]>) {
  const message = pooledMessage(traits.message, "message");
  const { features, n_present, parted } = message;
  if (n_present.length !== features.length || parted.some((place) => features[place] === undefined)) {
    throw new WireError(`"n_present" and "parted" must be of the ${features.length} features`);
  }
  return {
    message,
    before: decodeWeights("pooled", traits.pooled, message),
    /** Null where they did not come along; the page pools them by itself where it has the columns too. */
    rows: message.listed ? decodeRows(message, traits) : null,
    /** Those asked to be pooled, ascending; null where they are all, or new ones. */
    given: ["all", "new"].includes(message.given) ? null : uint32("given_rows", traits.given_rows),
    /** The study's columns; null where no stress can be shown. */
    columns: isWaiting(traits.columns_message) ? null : decodeColumns(traits),
  };
}

export interface PooledAnswer extends PooledAnswerMessage {
  readonly pooled: Pooled | null;
}

/** What the kernel answered last; null before the first. */
export function decodePooledAnswer(
  message: PooledMessage,
  traits: Pick<PooledBoundaryViewTraits, "answer" | "answer_pooled">,
): PooledAnswer | null {
  const answer = unlessEmpty(pooledAnswerMessage)(traits.answer, "answer");
  if (!answer) return null;
  const pooled = answer.error ? null : decodeWeights("answer_pooled", traits.answer_pooled, message);
  return { ...answer, pooled };
}

export const orders = ["before", "now", "change"] as const;
export type Order = (typeof orders)[number];
