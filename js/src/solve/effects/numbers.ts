/** What a page computes of an effect from shipped rows: its bands at a distance, and itself under other weights. */

import type { Range } from "./sorted_means";

/** A curve over the grid's points with its interval; NaN where there is none. */
export interface Curve {
  readonly value: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface Band {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface Bounds {
  /** Reached at each point by some reweighting within the distance, and left by none. */
  readonly certified: Band;
  /** The paper's; null for levels of an accumulated effect. */
  readonly paper: Band | null;
}

/** An effect under other weights, with the bounds at exactly the distance these moved. */
export interface Moved extends Bounds {
  readonly curve: Curve;
  /** Largest change at any point, of an accumulated effect without its centring. */
  readonly change: number;
  /** Largest change that a reweighting this far could have made. */
  readonly possible: number;
}

export interface EffectNumbers {
  /** Bounds at a total variation, around the curve as it is. */
  bounds(epsilon: number): Bounds;
  under(weights: Float64Array): Moved;
  /** Do a little of the sorting ahead; true when nothing is left to do. */
  prepare(): boolean;
}

export function bandOf(ranges: readonly Range[]): Band {
  return {
    lower: Float64Array.from(ranges, ([lower]) => lower),
    upper: Float64Array.from(ranges, ([, upper]) => upper),
  };
}

export function around(curve: ArrayLike<number>, half: (point: number) => number): Band {
  return {
    lower: Float64Array.from(curve, (value, g) => value - half(g)),
    upper: Float64Array.from(curve, (value, g) => value + half(g)),
  };
}

/** The largest finite value; 0 where there is none. */
export function largest(n: number, at: (point: number) => number): number {
  let most = 0;
  for (let g = 0; g < n; g++) if (at(g) > most) most = at(g);
  return most;
}

/** How far a band reaches from a curve, at most. */
export function largestDistance(curve: ArrayLike<number>, { lower, upper }: Band): number {
  const at = (g: number) =>
    Math.max((upper[g] as number) - (curve[g] as number), (curve[g] as number) - (lower[g] as number));
  return largest(curve.length, at);
}

/** Total variation ½ Σ|w/Σw − b/Σb| between two weightings of the same rows; `base` null for equal weights. */
export function totalVariation(weights: ArrayLike<number>, base: ArrayLike<number> | null): number {
  const n = weights.length;
  let sum = 0;
  let before = base ? 0 : n;
  for (let i = 0; i < n; i++) {
    sum += weights[i] as number;
    if (base) before += base[i] as number;
  }
  let distance = 0;
  for (let i = 0; i < n; i++) {
    distance += Math.abs((weights[i] as number) / sum - (base ? (base[i] as number) : 1) / before);
  }
  return Math.min(1, distance / 2);
}

/** Something for each position, made when first asked for. */
export function lazily<T>(n: number, make: (k: number) => T): { at(k: number): T; prepare(): boolean } {
  const made = new Array<T | undefined>(n);
  let next = 0;
  const at = (k: number): T => {
    made[k] ??= make(k);
    return made[k];
  };
  return {
    at,
    prepare() {
      while (next < n && made[next] !== undefined) next++;
      if (next < n) at(next++);
      return next >= n;
    },
  };
}
