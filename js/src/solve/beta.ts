/**
 * Quantiles of the beta distribution.
 *
 * All is in y = log(x / (1 - x)), so that both x and 1 - x keep their digits; there the distribution is log-concave.
 */

/**
 * log Γ(x + 1) less Stirling's x log x - x + log √(2πx): what remains of three log Γ that cancel in a density.
 *
 * Loader, "Fast and accurate computation of binomial probabilities", 2000.
 */
function stirlingError(x: number): number {
  if (x < 15) return stirlingError(x + 1) + (x + 0.5) * Math.log1p(1 / x) - 1;
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x;
}

/** size · log(ratio), from size · (ratio - 1) where that is small. */
const deviance = (size: number, off: number, ratio: number) =>
  size * (Math.abs(off) < 0.1 * size ? Math.log1p(off / size) : Math.log(ratio));

/** Log of the density of y. */
function logDensity(a: number, b: number, x: number, rest: number): number {
  const n = a + b;
  const off = x < rest ? x * n - a : b - rest * n;
  return (
    deviance(a, off, x * (n / a)) +
    deviance(b, -off, rest * (n / b)) +
    0.5 * Math.log((a * b) / n / (2 * Math.PI)) +
    stirlingError(n) -
    stirlingError(a) -
    stirlingError(b)
  );
}

/** Continued fraction of the incomplete beta function (Lentz), for x below its turning point. */
function fraction(a: number, b: number, x: number): number {
  const safe = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let out = d;
  for (let m = 1, change = 0; m <= 100_000 && Math.abs(change - 1) > 1e-15; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d);
    c = safe(1 + even / c);
    out *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d);
    c = safe(1 + odd / c);
    change = c * d;
    out *= change;
  }
  return out;
}

/** Density of y and probability below it, as logs. */
function logs(a: number, b: number, y: number): readonly [number, number] {
  const x = 1 / (1 + Math.exp(-y));
  const rest = 1 / (1 + Math.exp(y));
  const density = logDensity(a, b, x, rest);
  if (x < (a + 1) / (a + b + 2)) return [density, density + Math.log(fraction(a, b, x) / a)];
  return [density, Math.log1p((-Math.exp(density) * fraction(b, a, rest)) / b)];
}

const FURTHEST = 700;

/** Log odds of the quantile at a probability up to ½, no further from 0 than `FURTHEST`. */
function lowerLogOdds(a: number, b: number, probability: number): number {
  const inside = (y: number) => Math.min(Math.max(y, -FURTHEST), FURTHEST);
  let y = inside(Math.log(a / b));
  for (let step = 1, k = 0; k < 100 && Math.abs(step) > 1e-7; k++) {
    const [density, below] = logs(a, b, y);
    const over = below - Math.log(probability);
    const slope = Math.exp(density - below);
    // Halley's step: as log of the probability is concave, Newton's alone would come from far below
    const bend = (over * (a - (a + b) / (1 + Math.exp(-y)) - slope)) / slope / 2;
    step = over / slope / Math.max(1 - bend, 0.5);
    y = inside(y - step);
  }
  return y;
}

/** Log odds of the quantile of Beta(a, b), both positive, at a probability in (0, 1). */
export function betaLogOdds(a: number, b: number, probability: number): number {
  return probability > 0.5 ? -lowerLogOdds(b, a, 1 - probability) : lowerLogOdds(a, b, probability);
}

/** Quantile of Beta(a, b), both positive, at a probability in (0, 1). */
export function betaQuantile(a: number, b: number, probability: number): number {
  return 1 / (1 + Math.exp(-betaLogOdds(a, b, probability)));
}
