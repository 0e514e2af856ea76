/** Features by influence on a metric. */

import { COUNTED_BEYOND, MIN_DF_WIDE, REASONS } from "../../../solve/stress/reliability";
import { type Level, levelOf } from "../../../wire/reasons";
import type { RankBy, StressCurves } from "../../../wire/stress/curves";

/** First and last place of a stretch of τ. */
type Stretch = readonly [first: number, last: number];

const BEYOND = REASONS.indexOf("some_rows_beyond");
const CARRY = REASONS.indexOf("some_rows_carry_all");

/** The worst level of some metrics at each τ, numbers that next to no rows make up as unreliable. */
function countedLevels(data: StressCurves, feature: number, metrics: readonly number[]): Level[] {
  return data.message.taus.map((_, t) => {
    const levels = metrics.map((metric): Level => {
      const reason = data.curve(feature, metric).reason[t] as number;
      const { amount } = data.judged(feature, metric, t);
      const few =
        (reason === BEYOND && amount < COUNTED_BEYOND) || (reason === CARRY && amount < MIN_DF_WIDE);
      return few ? 2 : levelOf(data.message.reliability, reason);
    });
    return Math.max(0, ...levels) as Level;
  });
}

/** The stretch of τ around 0 in which a feature's levels are at most some level. */
function stretchOf(levels: readonly Level[], zero: number, most: Level): Stretch {
  const good = (t: number) => (levels[t] as Level) <= most;
  let [first, last] = [zero, zero];
  while (first > 0 && good(first - 1)) first--;
  while (last < levels.length - 1 && good(last + 1)) last++;
  return [first, last];
}

/**
 * Where a change of metrics is counted, for each feature: while they are reliable. Where they are so at no step from 0
 * of any feature, while their intervals can be read; where not even that, over the whole grid.
 */
export function usableStretches(data: StressCurves, metrics: readonly number[]): Stretch[] {
  const levels = data.message.features.map((_, feature) => countedLevels(data, feature, metrics));
  for (const most of [0, 1] as const) {
    const stretches = levels.map((each) => stretchOf(each, data.zero, most));
    if (stretches.some(([first, last]) => first < last)) return stretches;
  }
  return levels.map(() => [0, data.message.taus.length - 1]);
}

function difference(values: Float32Array, [first, last]: Stretch): number {
  return (values[last] as number) - (values[first] as number);
}

/** Central difference at τ = 0, one-sided at the grid's end. */
function slope(values: Float32Array, taus: readonly number[], zero: number): number {
  const before = Math.max(0, zero - 1);
  const after = Math.min(taus.length - 1, zero + 1);
  return (
    ((values[after] as number) - (values[before] as number)) /
    ((taus[after] as number) - (taus[before] as number))
  );
}

/**
 * How much a feature moves the metrics: |difference over a stretch of τ|, or |slope at τ = 0|.
 * Of several metrics (the ROC plane), the length of that vector.
 */
export function influence(
  data: StressCurves,
  feature: number,
  metrics: readonly number[],
  by: RankBy,
  stretch: Stretch,
): number {
  const parts = metrics.map((metric) => {
    const { value } = data.curve(feature, metric);
    return by === "difference" ? difference(value, stretch) : slope(value, data.message.taus, data.zero);
  });
  return Math.hypot(...parts);
}

/**
 * Feature positions, the most influential first; ties and undefined ones in the message's order.
 * A difference counts as far as the metric is reliable: a rare level turns any metric round at τ = 1.
 */
export function rankFeatures(data: StressCurves, metrics: readonly number[], by: RankBy): number[] {
  const scores = usableStretches(data, metrics).map((stretch, feature) =>
    influence(data, feature, metrics, by, stretch),
  );
  const score = (feature: number) => {
    const value = scores[feature] as number;
    return Number.isNaN(value) ? -1 : value;
  };
  return scores.map((_, feature) => feature).sort((a, b) => score(b) - score(a) || a - b);
}
