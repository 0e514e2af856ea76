/** The messages of a worst case: the same words as in Python, checked once, then only read. */

import { metricMessages } from "../metric";
import { distanceFields } from "../population";
import { level } from "../reasons";
import {
  type Infer,
  list,
  notEmpty,
  nullable,
  number,
  numberOrNaN,
  object,
  oneOf,
  record,
  type Schema,
  text,
  texts,
  version,
} from "../schema";
import type { Stress } from "../shared_stress";

const metric: Schema<ReturnType<typeof metricMessages>[number]> = (value, where) =>
  metricMessages([value], where)[0] as ReturnType<typeof metricMessages>[number];

const heldOut = nullable(
  object({
    n_rows: number,
    before: numberOrNaN,
    value: numberOrNaN,
    lower: numberOrNaN,
    upper: numberOrNaN,
    level,
    why: text,
    /** Why it cannot be read on other rows; "" where it can. */
    failed: text,
  }),
);

const worstCaseMessage = object({
  version: version(1),
  title: text,
  n_rows: number,
  worse: oneOf("higher", "lower"),
  /** The value that was to be reached; null where the worst was asked for. */
  reach: nullable(number),
  metric,
  before: number,
  held_out: heldOut,
  confidence: number,
  interval: text,
});
export type WorstCaseMessage = Infer<typeof worstCaseMessage>;

const margin = object({ feature: text, words: text, smd: numberOrNaN });
export type WorstMargin = Infer<typeof margin>;

const step = object({
  amount: number,
  allowed: text,
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  reliability: level,
  /** Why the metric is not reliable; "" where it is. */
  why: text,
  ...distanceFields,
  level,
  doubt: text,
  leans_on: text,
  margins: list(margin),
  taus: record as Schema<Record<string, number>>,
  /** Why no sliders make it; "" where they do. */
  unsaid: text,
  notes: texts,
});
export type WorstStep = Infer<typeof step>;

const pathMessage = object({
  steps: notEmpty(list(step), "have a step"),
  done: number,
  total: number,
  problem: text,
});
export type WorstPath = Infer<typeof pathMessage>;

export type WorstCaseTraits = {
  amount: number;
  stress: unknown;
  message: unknown;
  path: unknown;
};

export const decodeWorstCase = (value: unknown): WorstCaseMessage => worstCaseMessage(value, "message");
export const decodeWorstPath = (value: unknown): WorstPath => pathMessage(value, "path");

/** The sliders that make a worst case; null where none do. */
export function worstStress({ taus, unsaid }: WorstStep): Stress | null {
  return unsaid ? null : { taus, hold: "none" };
}
