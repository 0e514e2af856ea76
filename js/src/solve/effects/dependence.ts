/** Partial dependence from individual curves: weighted means, and bands from each point's sorted answers. */

import { type IntervalOptions, interval } from "./intervals";
import {
  around,
  bandOf,
  type Curve,
  type EffectNumbers,
  largest,
  largestDistance,
  lazily,
  totalVariation,
} from "./numbers";
import { SortedMeans } from "./sorted_means";

/** What one class of an effect is known by, each over the grid's points. */
export interface Known {
  readonly value: Float32Array;
  /** Extremes of the answers over the rows behind a point. */
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
}

/** The paper's half-width with both its remarks, at a total variation. */
export function paperHalf({ value, lowest, highest }: Known, point: number, distance: number): number {
  const [g, low, high] = [value[point], lowest[point], highest[point]] as [number, number, number];
  return Math.min(2 * Math.max(Math.abs(low), Math.abs(high)) * distance, Math.max(high - g, g - low));
}

/** Σ w v, Σ w² v and Σ w² v² at each point, v about the first row, so that a large offset costs no digits. */
function rowSums(values: Float32Array, points: number, weights: Float64Array) {
  const sum = new Float64Array(points);
  const products = new Float64Array(points);
  const squares = new Float64Array(points);
  // four rows at a time: a sum is touched once for all of them; those past the last are the first row, of weight 0
  for (let i = 0; i < weights.length; i += 4) {
    const [w0, w1, w2, w3] = [
      weights[i] as number,
      weights[i + 1] ?? 0,
      weights[i + 2] ?? 0,
      weights[i + 3] ?? 0,
    ];
    const a = i * points;
    const b = i + 1 < weights.length ? a + points : 0;
    const c = i + 2 < weights.length ? a + 2 * points : 0;
    const d = i + 3 < weights.length ? a + 3 * points : 0;
    for (let g = 0; g < points; g++) {
      const origin = values[g] as number;
      const wv0 = w0 * ((values[a + g] as number) - origin);
      const wv1 = w1 * ((values[b + g] as number) - origin);
      const wv2 = w2 * ((values[c + g] as number) - origin);
      const wv3 = w3 * ((values[d + g] as number) - origin);
      (sum[g] as number) += wv0 + wv1 + (wv2 + wv3);
      (products[g] as number) += w0 * wv0 + w1 * wv1 + (w2 * wv2 + w3 * wv3);
      (squares[g] as number) += wv0 * wv0 + wv1 * wv1 + (wv2 * wv2 + wv3 * wv3);
    }
  }
  return { sum, products, squares };
}

/**
 * Weighted means of rows with Student intervals, over the points.
 *
 * @param values C order [row][point]
 */
export function weightedMeans(
  values: Float32Array,
  points: number,
  weights: Float64Array,
  options: IntervalOptions,
): Curve {
  const { sum, products, squares } = rowSums(values, points, weights);
  const total = weights.reduce((all, w) => all + w, 0);
  const size = weights.reduce((all, w) => all + w * w, 0);
  const curve = {
    value: new Float64Array(points),
    lower: new Float64Array(points),
    upper: new Float64Array(points),
  };
  for (let g = 0; g < points; g++) {
    const shift = (sum[g] as number) / total;
    const spread =
      ((squares[g] as number) - 2 * shift * (products[g] as number) + shift ** 2 * size) / total ** 2;
    const mean = (values[g] as number) + shift;
    [curve.value[g], curve.lower[g], curve.upper[g]] = interval(
      { mean, spread, size: total ** 2 / size },
      options,
    );
  }
  return curve;
}

/**
 * @param values individual curves of one class, C order [row][point]
 * @param base weights the curve was computed with; null where all rows count alike
 */
export function dependenceNumbers(
  known: Known,
  values: Float32Array,
  base: Float64Array | null,
  options: IntervalOptions,
): EffectNumbers {
  const points = known.value.length;
  const n = values.length / points;
  const sorted = lazily(
    points,
    (g) =>
      new SortedMeans(
        Float64Array.from({ length: n }, (_, i) => values[i * points + g] as number),
        base,
      ),
  );
  const bounds = (distance: number) => ({
    certified: bandOf(Array.from({ length: points }, (_, g) => sorted.at(g).moved(distance))),
    paper: around(known.value, (g) => paperHalf(known, g, distance)),
  });
  return {
    bounds,
    under(weights) {
      const curve = weightedMeans(values, points, weights, options);
      const at = bounds(totalVariation(weights, base));
      return {
        curve,
        ...at,
        change: largest(points, (g) => Math.abs((curve.value[g] as number) - (known.value[g] as number))),
        possible: largestDistance(known.value, at.certified),
      };
    },
    prepare: sorted.prepare,
  };
}
