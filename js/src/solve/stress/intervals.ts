/**
 * The two ends of a metric's interval, from its estimate; the same as `tauscope.stress.intervals`.
 *
 * Rates have Clopper and Pearson's ends, with the rate's own error and an unseen event of typical weight; other metrics
 * have Student's t, on the logit scale where they are mean probabilities and on the log scale where they are spreads.
 */

import type { OutcomeMetricMessage } from "../../wire/messages";
import { betaQuantile } from "../beta";
import { tQuantile } from "../student_t";
import { type Estimate, isMean, isRate, isSpread } from "./estimates";

/** Effective rows below which the standard error of a value cannot be estimated: three, with room for rounding. */
export const FEWEST = 3 * (1 - 1e-9);
/** Shares this close to 0 or 1 are taken for it. */
export const EDGE = 1e-12;
/** Effective rows of a spread for a degree of freedom. */
export const ROWS_PER_DF = 5;
/** Share of the degrees that is left on a scale other than the metric's own. */
export const SCALED_DF = 0.5;
/** Share of a squared error below which a part no longer counts. */
export const LEAST_SHARE = 1e-3;
/** Effective rows that stand for none. */
export const LEAST_SIZE = 1e-9;

export type Ends = readonly [lower: number, upper: number];

const NO_ENDS: Ends = [Number.NaN, Number.NaN];

/**
 * @param confidence nominal coverage in (0, 1)
 * @param nRows of the sample, each counted once whatever its weight
 */
export function analyticInterval(
  metric: OutcomeMetricMessage,
  estimate: Estimate,
  confidence: number,
  nRows: number,
): Ends {
  if (Number.isNaN(estimate.value)) return NO_ENDS;
  if (isRate(metric)) return rateInterval(estimate, confidence, nRows);
  return isMean(metric) && estimate.ess < FEWEST ? NO_ENDS : studentInterval(metric, estimate, confidence);
}

function rateInterval(estimate: Estimate, confidence: number, nRows: number): Ends {
  const { value, error, ess, denominator } = estimate;
  const share = Math.min(Math.max(value, 0), 1);
  const tail = 0.5 - confidence / 2;
  const [none, every] = [share <= EDGE, share >= 1 - EDGE];
  const quantile = tQuantile(wholeDf(estimate), confidence);
  const grown = Math.max(quantile / tQuantile(nRows, confidence), 1) ** 2;
  const squared = none || every ? 0 : error ** 2 * grown;
  const event = grown / Math.max(denominator, LEAST_SIZE);
  const unseen = none || every ? 1 : (1 + Math.min(ess / nRows, 1) ** 2) / 2;
  const [below, others] = betaAbove(1 - share, squared, event, unseen);
  return [
    none ? 0 : betaQuantile(others, below, tail),
    every ? 1 : betaQuantile(...betaAbove(share, squared, event, unseen), 1 - tail),
  ];
}

/** Parameters of the beta distribution that has the upper end of a share below 1 as a quantile. */
function betaAbove(share: number, squared: number, event: number, unseen: number): [number, number] {
  const rest = unseen * event * (1 - share);
  const mean = Math.min(share + rest / (1 + event), 1 - EDGE);
  const variance = (squared + event * rest) / ((1 + event) ** 2 * (1 + 2 * event));
  const size = Math.max((mean * (1 - mean)) / variance - 1, LEAST_SIZE);
  return [mean * size, (1 - mean) * size];
}

/** Degrees of freedom of the whole error, from those of the part that targets leave. */
const wholeDf = ({ df, ofTargets }: Estimate) => df / Math.max(1 - ofTargets, LEAST_SHARE) ** 2;

/** Degrees of freedom of Student's t on the metric's scale, at least 1. */
function scaledDf(metric: OutcomeMetricMessage, estimate: Estimate): number {
  const { events, denominator } = estimate;
  const limit = isSpread(metric)
    ? events / ROWS_PER_DF
    : metric.form === "mean_ratio"
      ? denominator
      : Infinity;
  const own = Math.min(wholeDf(estimate), limit);
  return Math.max(metric.scale === "plain" ? own : own * SCALED_DF, 1);
}

function studentInterval(metric: OutcomeMetricMessage, estimate: Estimate, confidence: number): Ends {
  const { value, error } = estimate;
  const quantile = tQuantile(scaledDf(metric, estimate), confidence);
  if (metric.scale === "plain") return [value - quantile * error, value + quantile * error];
  if (metric.scale === "log") {
    const log = Math.log(Math.max(value, Number.MIN_VALUE));
    const half = value > 0 ? (quantile * error) / value : 0;
    return [Math.exp(Math.min(log - half, 700)), Math.exp(Math.min(log + half, 700))];
  }
  const share = Math.min(Math.max(value, EDGE), 1 - EDGE);
  const logit = Math.log(share / (1 - share));
  const half = (quantile * error) / (share * (1 - share));
  const expit = (odds: number) => 1 / (1 + Math.exp(-odds));
  return [expit(logit - half), expit(logit + half)];
}
