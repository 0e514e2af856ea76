/** The messages of the view of a pooled boundary: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, uint8, uint32 } from "../buffers";
import { type Columns, type ColumnsTraits, decodeColumns } from "../columns";
import { distanceFields } from "../population";
import { carriersMessage, reasonMessages } from "../reasons";
import {
  flag,
  type Infer,
  nullable,
  number,
  numberOrNaN,
  numbers,
  object,
  oneOf,
  optional,
  record,
  text,
  texts,
  unlessEmpty,
  version,
  WireError,
} from "../schema";
import { readStress, type Stress } from "../shared_stress";
import { isWaiting } from "../traits";

/** What is told of one pooling beside its weights. */
const factsMessage = object({
  /** Rows pooled, and the effective ones. */
  n: number,
  size: number,
  /** (Σw²)² / Σw⁴ of their weights. */
  df: number,
  /** Of the population's weight; null for rows that are not the study's. */
  share: nullable(number),
  /** Weighted mean cosine of the rows' directions with the pooled one. */
  agreement: number,
  /** Standard error of the direction over its length; NaN where the directions cancel, or one row is pooled. */
  wobble: numberOrNaN,
});
export type Facts = Infer<typeof factsMessage>;

/** How far the population of all rows was moved. */
const populationMessage = object({ ...distanceFields, carriers: carriersMessage });

const pooledMessage = object({
  version: version(1),
  title: text,
  model: text,
  axis: text,
  /** Which rows were chosen, in words, and how many. */
  rows: text,
  n_chosen: number,
  /** What these were drawn from, and how many there are of them. */
  given: oneOf("all", "errors", "rows", "new"),
  n_given: number,
  /** Misclassified rows to be pooled where none is selected; 0 where that is not offered. */
  n_errors: number,
  /** Most rows drawn of those to be pooled. */
  max_rows: number,
  /** Names of the classes. */
  labels: texts,
  /** What distances are in; "" for the rows' own units. */
  distance: text,
  /** Whether the rows pooled came along. */
  listed: flag,
  /** Rows of the study; 0 where there is none. */
  n_rows: number,
  features: texts,
  /** Rows pooled that have it, by feature. */
  n_present: numbers,
  /** Positions of the features that weigh in some row without them; elsewhere the part of such rows is 0. */
  parted: numbers,
  confidence: number,
  /** What intervals cover, without a stress and under one. */
  interval: text,
  interval_stressed: text,
  notes: texts,
  /** What speaks against a pooled direction, with the thresholds. */
  doubts: object({ alone: text, cancel: text, unsettled: text, few: text }),
  most_wobble: number,
  few: number,
  facts: factsMessage,
  population: populationMessage,
  weighted: flag,
  /** Whether the page pools by itself. */
  shipped: flag,
  live: flag,
  /** Why no other rows can be pooled; "" where they can. */
  offline: text,
  /** Why no stress can be shown; "" where one can. */
  unstressable: text,
  reliability: reasonMessages,
});
export type PooledMessage = Infer<typeof pooledMessage>;

export type PooledTraits = ColumnsTraits & {
  stress: unknown;
  order: string;
  n_features: number;
  message: unknown;
  pooled: Bytes;
  places: Bytes;
  directions: Bytes;
  presence: Bytes;
  distances: Bytes;
  decisions: Bytes;
  given_rows: Bytes;
  row: number;
  selection: readonly number[];
  compute: number;
  stop: number;
  progress: unknown;
  answer: unknown;
  answer_pooled: Bytes;
};

/** Values and the ends of their intervals by feature; NaN where there are none. */
export interface Weights {
  readonly value: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Pooled weights, and their parts from rows that have a feature and rows that have not. */
export interface Pooled {
  readonly direction: Weights;
  readonly present: Weights;
  readonly absent: Weights;
}

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

export interface PooledData {
  readonly message: PooledMessage;
  readonly before: Pooled;
  /** Null where they did not come along; the page pools them by itself where it has the columns too. */
  readonly rows: PooledRows | null;
  /** Those asked to be pooled, ascending; null where they are all, or new ones. */
  readonly given: Uint32Array | null;
  /** The study's columns; null where no stress can be shown. */
  readonly columns: Columns | null;
}

const FIELDS = 9;

function decodeWeights(name: string, bytes: Bytes, p: number): Pooled {
  const values = Float64Array.from(float32(name, bytes, FIELDS * p));
  const field = (k: number) => values.subarray(k * p, (k + 1) * p);
  const part = (k: number) => ({ value: field(k), lower: field(k + 1), upper: field(k + 2) });
  return { direction: part(0), present: part(3), absent: part(6) };
}

const ROWS = ["places", "directions", "presence", "distances", "decisions"] as const;

function decodeRows(
  { features, parted, n_rows, labels }: PooledMessage,
  traits: Pick<PooledTraits, (typeof ROWS)[number]>,
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
export function decodePooled(traits: Pick<PooledTraits, (typeof DATA)[number]>): PooledData {
  const message = pooledMessage(traits.message, "message");
  const { features, n_present, parted } = message;
  if (n_present.length !== features.length || parted.some((place) => features[place] === undefined)) {
    throw new WireError(`"n_present" and "parted" must be of the ${features.length} features`);
  }
  return {
    message,
    before: decodeWeights("pooled", traits.pooled, features.length),
    rows: message.listed ? decodeRows(message, traits) : null,
    given: ["all", "new"].includes(message.given) ? null : uint32("given_rows", traits.given_rows),
    columns: isWaiting(traits.columns_message) ? null : decodeColumns(traits),
  };
}

const answerMessage = unlessEmpty(
  object({
    stress: record,
    /** Why there is no answer; "" where there is one. */
    error: text,
    words: optional(text, ""),
    facts: optional(nullable(factsMessage), null),
    population: optional(nullable(populationMessage), null),
  }),
);

export interface PooledAnswer {
  readonly stress: Stress;
  readonly error: string;
  readonly words: string;
  readonly facts: Facts | null;
  readonly population: Infer<typeof populationMessage> | null;
  readonly pooled: Pooled | null;
}

/** What the kernel answered last; null before the first. */
export function decodePooledAnswer(
  { features }: PooledMessage,
  traits: Pick<PooledTraits, "answer" | "answer_pooled">,
): PooledAnswer | null {
  const answer = answerMessage(traits.answer, "answer");
  if (!answer) return null;
  const pooled = answer.error ? null : decodeWeights("answer_pooled", traits.answer_pooled, features.length);
  return { ...answer, stress: readStress(answer.stress), pooled };
}

const progressMessage = unlessEmpty(object({ doing: text, n_model_rows: number, error: text }));
/** What the kernel is at; `doing` or `error` is "". */
export type Progress = Infer<typeof progressMessage>;

export function decodeProgress(value: unknown): Progress {
  return progressMessage(value ?? {}, "progress");
}

export const orders = ["before", "now", "change"] as const;
export type Order = (typeof orders)[number];
