/** The dual of the projection, its derivatives, and the weights it stands for. */

import { combination, product, secondMoments } from "./row_sums";

/** Rows seen from the targets: Φ - t in unstressed standard deviations, an array of n per column. */
export interface Problem {
  readonly n: number;
  readonly columns: readonly Float64Array[];
  /** Weights without stress, summing to 1; null for 1/n each. */
  readonly base: Float64Array | null;
  /** Covariance of the columns under them, where it is known already. */
  readonly covariance?: Float64Array;
}

export interface DualPoint {
  readonly multipliers: Float64Array;
  /** log Σ b_i exp⟨ξ, z_i⟩, nats; at the minimum, minus the divergence. */
  readonly value: number;
  /** Mean of z under the weights. */
  readonly gradient: Float64Array;
  /** max ⟨ξ, z_i⟩; negative where ξ separates the target from every row. */
  readonly highest: number;
  /** The weights, summing to 1. */
  readonly share: Float64Array;
}

export function largest(values: ArrayLike<number>): number {
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > high) high = values[i] as number;
  return high;
}

/** Exponentials of the heights over the highest of them, times the base; returns their sum. */
function raise(heights: Float64Array, highest: number, base: Float64Array | null): number {
  let total = 0;
  for (let i = 0; i < heights.length; i++) {
    const weight = Math.exp((heights[i] as number) - highest) * (base ? (base[i] as number) : 1);
    heights[i] = weight;
    total += weight;
  }
  return total;
}

/**
 * Evaluate the dual and its gradient.
 *
 * The largest exponent is taken out before the exponential, so nothing overflows.
 */
export function evaluate({ n, columns, base }: Problem, multipliers: Float64Array): DualPoint {
  const share = combination(columns, multipliers, new Float64Array(n));
  const highest = largest(share);
  const total = raise(share, highest, base);
  for (let i = 0; i < n; i++) share[i] = (share[i] as number) / total;
  const gradient = Float64Array.from(columns, (column) => product(share, column));
  const value = highest + Math.log(base ? total : total / n);
  return { multipliers, value, gradient, highest, share };
}

/** Covariance of z under the weights: the dual's second derivatives. */
export function hessianAt({ columns }: Problem, { share, gradient }: DualPoint): Float64Array {
  const k = columns.length;
  return secondMoments(columns, share).map(
    (value, at) => value - (gradient[Math.floor(at / k)] as number) * (gradient[at % k] as number),
  );
}
