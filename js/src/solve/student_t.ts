/** Quantiles of Student's t at any degrees of freedom: computed, or read off a table that Python shipped. */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const;

function logGamma(x: number): number {
  const shifted = x - 1;
  const base = shifted + 7.5;
  const series = LANCZOS.reduce((sum, c, k) => sum + c / (shifted + k + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}

/** Continued fraction of the incomplete beta function (Lentz), for x below its turning point. */
function betaFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  const safe = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let out = d;
  for (let m = 1; m <= 2000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    out *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    const change = c * d;
    out *= change;
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return out;
}

function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** Probability that |t| exceeds a positive value. */
function bothTails(t: number, df: number): number {
  return incompleteBeta(df / 2, 0.5, df / (df + t * t));
}

/** The t that |t| stays below with probability `confidence`; `freedom` at least 1, not necessarily whole. */
export function tQuantile(df: number, confidence: number): number {
  const outside = 1 - confidence;
  let [low, high] = [0, 2];
  while (bothTails(high, df) > outside && high < 1e12) {
    low = high;
    high *= 2;
  }
  for (let step = 0; step < 200 && high - low > 1e-11 * high; step++) {
    const middle = (low + high) / 2;
    if (bothTails(middle, df) > outside) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Quantiles at 1/df = 0, 1/K, 2/K … 1. */
export type Quantiles = readonly number[];

/**
 * The quantile for any degrees of freedom from one up: a cubic through the four nearest in 1/df.
 *
 * Below two effective rows there is none: such an interval says nothing.
 */
export function interpolateTQuantile(quantiles: Quantiles, df: number): number {
  const last = quantiles.length - 1;
  if (!(df >= 1) || last < 3) return Number.NaN;
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
