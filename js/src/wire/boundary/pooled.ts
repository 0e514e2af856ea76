/** The messages of the view of a pooled boundary: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, uint8, uint32 } from "../buffers";
import { type Columns, type ColumnsTraits, decodeColumns } from "../columns";
import { carriersMessage, reasonMessages } from "../reasons";
import {
  flag,
  type Infer,
  nullAs,
  nullable,
  number,
  numbers,
  object,
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
  wobble: nullAs(Number.NaN, number),
});
export type Facts = Infer<typeof factsMessage>;

/** How far the population of all rows was moved. */
const populationMessage = object({
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
  carriers: carriersMessage,
});

const pooledMessage = object({
  version: version(1),
  title: text,
  model: text,
  axis: text,
  /** Which rows were chosen, in words, and how many. */
  rows: text,
  n_chosen: number,
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

export interface PooledRows {
  /** Which of the study's rows each is. */
  readonly places: Uint32Array;
  /** [row][feature], the largest entry of a row 1. */
  readonly directions: Float32Array;
  /** [row][parted feature], 1 where the row has it. */
  readonly presence: Uint8Array;
}

export interface PooledData {
  readonly message: PooledMessage;
  readonly before: Pooled;
  /** Null where the page does not pool by itself. */
  readonly rows: PooledRows | null;
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

function decodeRows(
  { features, parted, n_rows }: PooledMessage,
  traits: Pick<PooledTraits, "places" | "directions" | "presence">,
): PooledRows {
  const places = uint32("places", traits.places);
  if (places.some((place) => place >= n_rows)) throw new WireError(`"places" must lie below ${n_rows}`);
  const directions = float32("directions", traits.directions, places.length * features.length);
  return { places, directions, presence: uint8("presence", traits.presence, places.length * parted.length) };
}

export const DATA = [
  "message",
  "pooled",
  "places",
  "directions",
  "presence",
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
    rows: message.shipped ? decodeRows(message, traits) : null,
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

export const orders = ["before", "now", "change"] as const;
export type Order = (typeof orders)[number];
