/** Intervals of a weighted mean over rows. */

import { interpolateTQuantile, MIN_SIZE, type Quantiles } from "../student_t";

/** What a weighted mean's interval needs. */
export interface Moments {
  readonly mean: number;
  /** Σw²(v − mean)² / (Σw)². */
  readonly spread: number;
  /** Effective rows (Σw)²/Σw². */
  readonly size: number;
}

export interface IntervalOptions {
  readonly quantiles: Quantiles;
  readonly confidence: number;
  /** Where the interval is symmetric: "logit" for means of answers in [0, 1], which it does not leave. */
  readonly scale: "identity" | "logit";
}

/** Shares this close to 0 or 1 are taken for it. */
export const EDGE = 1e-12;

const expit = (x: number) => 1 / (1 + Math.exp(-x));

/** Mean, lower and upper end; no ends where fewer than two effective rows carry the mean. */
export function interval(
  { mean, spread, size }: Moments,
  { quantiles, confidence, scale }: IntervalOptions,
): [value: number, lower: number, upper: number] {
  const half =
    size >= MIN_SIZE
      ? interpolateTQuantile(quantiles, size - 1) * Math.sqrt(Math.max(0, (spread * size) / (size - 1)))
      : Number.NaN;
  if (scale === "identity" || !(mean >= 0 && mean <= 1) || Number.isNaN(half)) {
    return [mean, mean - half, mean + half];
  }
  // no row tells how far a share of 0 or 1 may be off: the exact binomial end
  const limit = -Math.expm1(Math.log(0.5 - confidence / 2) / size);
  if (mean <= EDGE) return [mean, 0, limit];
  if (mean >= 1 - EDGE) return [mean, 1 - limit, 1];
  const centre = Math.log(mean / (1 - mean));
  const reach = half / (mean * (1 - mean));
  return [mean, expit(centre - reach), expit(centre + reach)];
}
