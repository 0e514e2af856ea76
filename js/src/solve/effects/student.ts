/** Intervals of a weighted mean over rows, from Student t quantiles that Python shipped. */

/** Quantiles at 1/df = 0, 1/K, 2/K … 1. */
export type Quantiles = readonly number[];

/**
 * The quantile for any degrees of freedom from one up: a cubic through the four nearest in 1/df.
 *
 * Below two effective rows there is none: such an interval says nothing.
 */
export function studentQuantile(quantiles: Quantiles, degrees: number): number {
  const last = quantiles.length - 1;
  if (!(degrees >= 1) || last < 3) return Number.NaN;
  const at = (1 / degrees) * last;
  const first = Math.min(last - 3, Math.max(0, Math.floor(at) - 1));
  let value = 0;
  for (let i = first; i < first + 4; i++) {
    let weight = 1;
    for (let j = first; j < first + 4; j++) if (j !== i) weight *= (at - j) / (i - j);
    value += weight * (quantiles[i] as number);
  }
  return value;
}

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
    ? studentQuantile(quantiles, size - 1) * Math.sqrt(Math.max(0, (spread * size) / (size - 1)))
    : Number.NaN;
  return [mean, mean - half, mean + half];
}
