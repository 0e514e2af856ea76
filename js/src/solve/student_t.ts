/** Quantiles of Student's t at any degrees of freedom: computed, or read off a table that Python shipped. */

import { betaLogOdds } from "./beta";

/** Effective rows below which there is no interval: t of less than one degree of freedom is wide beyond use. */
export const MIN_SIZE = 2 - 1e-9;

/** The t that |t| stays below with probability `confidence`; `df` at least 1, not necessarily whole. */
export function tQuantile(df: number, confidence: number): number {
  return Math.sqrt(df * Math.exp(-betaLogOdds(df / 2, 0.5, 1 - confidence))); // df / (df + t²) is Beta(df/2, 1/2)
}

/** Quantiles at 1/df = 0, 1/K, 2/K … 1. */
export type Quantiles = readonly number[];

/** The quantile for any degrees of freedom from one up: a cubic through the four nearest in 1/df; NaN below. */
export function interpolateTQuantile(quantiles: Quantiles, df: number): number {
  const last = quantiles.length - 1;
  if (!(df >= MIN_SIZE - 1) || last < 3) return Number.NaN;
  const at = (1 / df) * last;
  const first = Math.min(last - 3, Math.max(0, Math.floor(at) - 1));
  let value = 0;
  for (let i = first; i < first + 4; i++) {
    let weight = 1;
    for (let j = first; j < first + 4; j++) if (j !== i) weight *= (at - j) / (i - j);
    value += weight * (quantiles[i] as number);
  }
  return value;
}
