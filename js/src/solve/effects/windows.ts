/** Conditional dependence from the answers near each point. */

import { bisectLeft } from "../bisect";
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
import type { Range } from "./sorted_means";

const STEPS = 100;

/** A window's answers, ascending, with the mass and the sum below each. */
type Ladder = ReturnType<typeof ladder>;

/** A window's answers, ascending, with the mass and the sum below each. */
function ladder(values: Float64Array, mass: Float64Array) {
  const order = Uint32Array.from(values, (_, k) => k).sort(
    (a, b) => (values[a] as number) - (values[b] as number),
  );
  const below = new Float64Array(order.length + 1);
  const sums = new Float64Array(order.length + 1);
  order.forEach((k, rank) => {
    below[rank + 1] = (below[rank] as number) + (mass[k] as number);
    sums[rank + 1] = (sums[rank] as number) + (mass[k] as number) * (values[k] as number);
  });
  return { values: Float64Array.from(order, (k) => values[k] as number), mass: below, sums };
}

/** The sum over the lowest `removed` of the mass. */
function sumBelow({ mass, sums }: Ladder, removed: number): number {
  const last = mass.length - 1;
  if (removed <= 0) return 0;
  if (removed >= (mass[last] as number)) return sums[last] as number;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((mass[middle] as number) <= removed) low = middle;
    else high = middle;
  }
  const [from, to] = [mass[low] as number, mass[high] as number];
  const part = to > from ? (removed - from) / (to - from) : 0;
  return (sums[low] as number) + part * ((sums[high] as number) - (sums[low] as number));
}

/** Climb from ratio to better ratio until none is better; exact in finitely many steps (Dinkelbach, 1967). */
function highest(rungs: Ladder, epsilon: number): number {
  const { values, mass, sums } = rungs;
  const inside = mass.at(-1) as number;
  const all = sums.at(-1) as number;
  const outside = Math.max(0, 1 - inside);
  let ratio = all / inside;
  for (let step = 0; step < STEPS; step++) {
    // mass is taken from rows below the ratio, then from outside, then from the rows above it
    const low = mass[bisectLeft(values, ratio)] as number;
    const fromLow = Math.min(epsilon, low);
    const fromOutside = Math.min(epsilon - fromLow, outside);
    const fromHigh = Math.min(epsilon - fromLow - fromOutside, inside - low);
    const kept = all - sumBelow(rungs, fromLow + fromHigh);
    const added = fromLow + fromOutside + fromHigh;
    const better = (kept + added * (values.at(-1) as number)) / (inside + fromOutside);
    if (!(better > ratio)) break;
    ratio = better;
  }
  return ratio;
}

/** Σ w v / Σ w of a window over every reweighting of all rows within a total variation. */
export class WindowMeans {
  readonly #rising: Ladder | null;
  readonly #falling: Ladder | null;

  /** @param mass of the window's rows, all rows together having 1 */
  constructor(values: Float64Array, mass: Float64Array) {
    const some = mass.reduce((a, b) => a + b, 0) > 0;
    this.#rising = some ? ladder(values, mass) : null;
    this.#falling = some
      ? ladder(
          values.map((value) => -value),
          mass,
        )
      : null;
  }

  moved(epsilon: number): Range {
    if (!this.#rising || !this.#falling) return [Number.NaN, Number.NaN];
    return [-highest(this.#falling, epsilon), highest(this.#rising, epsilon)];
  }
}

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
