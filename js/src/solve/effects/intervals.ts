/** Intervals of a weighted mean over rows. */

import { interpolateTQuantile, type Quantiles } from "../student_t";

/** What a weighted mean's interval needs. */
export interface Moments {
  readonly mean: number;
  /** Σw²(v − mean)² / (Σw)². */
  readonly spread: number;
  /** Effective rows (Σw)²/Σw². */
  readonly size: number;
}

/** Mean, lower and upper end; no ends where fewer than two rows carry the mean. */
export function interval(
  { mean, spread, size }: Moments,
  quantiles: Quantiles,
): [value: number, lower: number, upper: number] {
  const several = size > 1 + 1e-9;
  const half = several
    ? interpolateTQuantile(quantiles, size - 1) * Math.sqrt(Math.max(0, (spread * size) / (size - 1)))
    : Number.NaN;
  return [mean, mean - half, mean + half];
}
