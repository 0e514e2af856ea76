/** Features by influence on an index. */

import type { RankBy, StressCurves } from "../../wire/stress_curves";

function difference(values: Float32Array): number {
  return (values.at(-1) as number) - (values[0] as number);
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
 * How much a feature moves the indices: |value at the last τ − value at the first|, or |slope at τ = 0|.
 * Of several indices (the ROC plane), the length of that vector.
 */
export function influence(
  data: StressCurves,
  feature: number,
  indices: readonly number[],
  by: RankBy,
): number {
  const parts = indices.map((index) => {
    const { value } = data.curve(feature, index);
    return by === "difference" ? difference(value) : slope(value, data.message.taus, data.zero);
  });
  return Math.hypot(...parts);
}

/** Feature positions, the most influential first; ties and undefined ones in the message's order. */
export function rankFeatures(data: StressCurves, indices: readonly number[], by: RankBy): number[] {
  const scores = data.message.features.map((_, feature) => influence(data, feature, indices, by));
  const score = (feature: number) => {
    const value = scores[feature] as number;
    return Number.isNaN(value) ? -1 : value;
  };
  return scores.map((_, feature) => feature).sort((a, b) => score(b) - score(a) || a - b);
}
