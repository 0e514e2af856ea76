/** Whether a number of a stress can be relied on; the same rule as `tauscope.stress.reliability`, whose words are sent. */

import type { OutcomeMetricMessage } from "../../wire/messages";
import type { Judged } from "../../wire/reasons";
import { type Estimate, isMean, isSpread } from "./estimates";
import { FEWEST } from "./intervals";

/** Rows at or beyond the target: reliable from the first, wide from the second. */
export const MIN_BEYOND = 15;
export const MIN_BEYOND_WIDE = 1;
/** Rows at or beyond the target below which a change is not counted when features are ranked. */
export const COUNTED_BEYOND = 10;
/** The first for a variance or RMSE to be reliable. */
export const MIN_BEYOND_SPREAD = 50;
/** (Σw²)² / Σw⁴: reliable from the first; below the second a metric's interval is very wide, a population unreliable. */
export const MIN_DF = 10;
export const MIN_DF_WIDE = 3;
/** Effective events, and non-events, of a rate or mean probability. */
export const MIN_EVENTS = 10;
/** Effective errors of a loss and rows of the rarer class: reliable from the first, wide from the second. */
export const MIN_ERRORS = 20;
export const MIN_ERRORS_WIDE = 5;
/** Degrees of freedom of a loss to be reliable. */
export const MIN_ERRORS_DF = 30;
export const ROUNDING = 1e-9;
/** Effective rows that make up a spread. */
export const MIN_SPREAD_ROWS = 40;
/** Pareto k̂ of the weights, for values. */
export const MAX_PARETO_K = 0.7;
/** Degrees of freedom from which on no few weights decide, whatever k̂. */
export const MANY_DF = 100;
/** KL over that of a normal shift of the same total variation, and Pareto k̂: above both the tail moved is too long. */
export const MAX_DIVERGENCE_RATIO = 1.4;
export const MIN_LONG_TAIL_K = 0.5;
/** Pareto k̂ of the squares that a spread is the mean of, unweighted: reliable up to the first, wide to the second. */
export const MAX_TAIL = 0.25;
export const MAX_TAIL_WIDE = 0.4;

/** What can decide over a number, by code. */
export const REASONS = [
  "none",
  "undefined",
  "few_rows_beyond",
  "few_rows_carry_all",
  "end_in_doubt",
  "heavy_weights",
  "heavy_tail",
  "some_rows_beyond",
  "some_rows_carry_all",
  "few_events",
  "few_non_events",
  "few_spread_rows",
  "determined",
  "few_carriers",
  "some_carriers",
  "too_few_errors",
  "too_few_of_class",
  "few_errors",
  "few_of_class",
  "some_tail",
  "long_tail",
] as const;
type Reason = (typeof REASONS)[number];
type Test = readonly [Reason, boolean, number];

/** What falls short of a limit by more than rounding, which depends on the order of adding up. */
function below(amount: number, least: number): boolean {
  return amount < least * (1 - ROUNDING);
}

/** Which are too few, events or the others: those of which there are fewest. */
function few({ events, nonEvents }: Estimate, least: number, ofEvents: Reason, ofOthers: Reason): Test[] {
  const fewest = Math.min(events, nonEvents);
  return [
    [ofEvents, below(events, least) && events <= fewest * (1 + ROUNDING), fewest],
    [ofOthers, below(nonEvents, least), fewest],
  ];
}

/** Where a stress leads. */
export interface Support {
  /** Rows at or beyond the target in the direction of the move, the fewest of several targets; ∞ without a move. */
  readonly nBeyond: number;
  /** Whether other rows might put the end of τ on that side elsewhere. */
  readonly inDoubt: boolean;
  /** Of the weights. */
  readonly pareto_k: number;
  /** Of all rows; 1 without a move. */
  readonly divergenceRatio: number;
}

/** What decides over a metric's reliability: the first that holds. */
export function judge(metric: OutcomeMetricMessage, estimate: Estimate, support: Support): Judged {
  const { value, df } = estimate;
  const { nBeyond, inDoubt, pareto_k, divergenceRatio } = support;
  const spread = isSpread(metric);
  const loss = metric.counted.length > 0;
  const counted = !spread && !loss && (!isMean(metric) || metric.scale === "logit");
  const fewest = Math.min(estimate.events, estimate.nonEvents);
  const heavy = df < MANY_DF && !(pareto_k <= MAX_PARETO_K);
  const longTail = df < MANY_DF && divergenceRatio > MAX_DIVERGENCE_RATIO && pareto_k > MIN_LONG_TAIL_K;
  const tests: readonly Test[] = [
    ["undefined", Number.isNaN(value), 0],
    ["few_rows_beyond", below(nBeyond, MIN_BEYOND_WIDE), nBeyond],
    ["few_rows_carry_all", estimate.ess < FEWEST, df], // no value, and no change of any metric, has an interval
    ["end_in_doubt", inDoubt, 0],
    ...(loss ? few(estimate, MIN_ERRORS_WIDE, "too_few_errors", "too_few_of_class") : []),
    ["some_rows_carry_all", below(df, MIN_DF_WIDE), df], // before what is heavy: Student's t covers it there
    ["heavy_weights", isMean(metric) && heavy, pareto_k],
    ["heavy_tail", spread && metric.tail > MAX_TAIL_WIDE, metric.tail],
    ["some_rows_beyond", below(nBeyond, spread ? MIN_BEYOND_SPREAD : MIN_BEYOND), nBeyond],
    ["some_rows_carry_all", below(df, loss ? MIN_ERRORS_DF : MIN_DF), df],
    ...(loss ? few(estimate, MIN_ERRORS, "few_errors", "few_of_class") : []),
    ...(counted ? few(estimate, MIN_EVENTS, "few_events", "few_non_events") : []),
    ["few_spread_rows", spread && below(fewest, MIN_SPREAD_ROWS), fewest],
    ["some_tail", spread && metric.tail > MAX_TAIL, metric.tail],
    // last, as intervals that are wide for another reason cover here too
    ["long_tail", longTail, 0],
  ];
  const [reason, , amount] = tests.find(([, holds]) => holds) ?? ["none", true, 0];
  return { reason: REASONS.indexOf(reason), amount };
}
