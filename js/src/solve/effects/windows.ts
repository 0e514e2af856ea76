/** Conditional dependence from the answers near each point. */

import { type Known, paperHalf } from "./dependence";
import { type Groups, groupDistance, members, moments } from "./groups";
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
import { WindowMeans } from "./window_range";

/**
 * @param near one group per point of the grid
 * @param base weights the curve was computed with; null where all rows count alike
 */
export function windowNumbers(
  known: Known,
  near: Groups,
  nRows: number,
  base: Float64Array | null,
  options: IntervalOptions,
): EffectNumbers {
  const points = known.value.length;
  const total = base ? base.reduce((a, b) => a + b, 0) : nRows;
  const share = Float64Array.from({ length: points }, (_, g) =>
    members(near, g, base).weights.reduce((a, b) => a + b / total, 0),
  );
  const windows = lazily(points, (g) => {
    const { values, weights } = members(near, g, base);
    return new WindowMeans(
      values,
      weights.map((w) => w / total),
    );
  });
  const bounds = (epsilon: number, felt: (point: number) => number) => ({
    certified: bandOf(Array.from({ length: points }, (_, g) => windows.at(g).moved(epsilon))),
    paper: around(known.value, (g) => paperHalf(known, g, felt(g))),
  });
  return {
    // A window that holds a share p of the weight feels at most epsilon / p of a move of all rows' weights.
    bounds: (epsilon) => bounds(epsilon, (g) => Math.min(1, epsilon / (share[g] as number))),
    under(weights) {
      const curve: Curve = {
        value: new Float64Array(points),
        lower: new Float64Array(points),
        upper: new Float64Array(points),
      };
      for (let g = 0; g < points; g++) {
        [curve.value[g], curve.lower[g], curve.upper[g]] = interval(moments(near, g, weights), options);
      }
      const at = bounds(totalVariation(weights, base), (g) => groupDistance(near, g, weights, base));
      return {
        curve,
        ...at,
        change: largest(points, (g) => Math.abs((curve.value[g] as number) - (known.value[g] as number))),
        possible: largestDistance(known.value, at.certified),
      };
    },
    prepare: windows.prepare,
  };
}
