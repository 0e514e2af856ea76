/** The dual of the projection, its derivatives, and the weights it stands for. */

/** Rows seen from the targets: Φ - t in unstressed standard deviations, column after column. */
export interface Problem {
  readonly n: number;
  readonly k: number;
  readonly z: Float64Array;
  /** Weights without stress, summing to 1; null for 1/n each. */
  readonly base: Float64Array | null;
  /** Covariance of z under them, where it is known already. */
  readonly covariance?: Float64Array;
}

export interface DualPoint {
  readonly multipliers: Float64Array;
  /** log Σ b_i exp⟨ξ, z_i⟩, nats; at the minimum, minus the divergence. */
  readonly value: number;
  /** Mean of z under the weights. */
  readonly gradient: Float64Array;
  /** Covariance of z under the weights. */
  readonly hessian: Float64Array;
  /** max ⟨ξ, z_i⟩; negative where ξ separates the target from every row. */
  readonly highest: number;
  /** The weights, summing to 1. */
  readonly share: Float64Array;
}

const BLOCK = 512;

function addScaled(out: Float64Array, slope: number, column: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + slope * (column[i] as number);
}

/** Σ a b, four sums side by side. */
export function product(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  const whole = n - (n % 4);
  let [p, q, r, s] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    p += (a[i] as number) * (b[i] as number);
    q += (a[i + 1] as number) * (b[i + 1] as number);
    r += (a[i + 2] as number) * (b[i + 2] as number);
    s += (a[i + 3] as number) * (b[i + 3] as number);
  }
  for (let i = whole; i < n; i++) p += (a[i] as number) * (b[i] as number);
  return p + q + (r + s);
}

/** ⟨d, z_i⟩ of every row. */
export function heights(
  { n, k, z }: Problem,
  direction: ArrayLike<number>,
  out = new Float64Array(n),
): Float64Array {
  out.fill(0);
  for (let j = 0; j < k; j++) {
    const slope = direction[j] as number;
    if (slope === 0) continue;
    addScaled(out, slope, z.subarray(j * n, (j + 1) * n));
  }
  return out;
}

export function largest(values: ArrayLike<number>): number {
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > high) high = values[i] as number;
  return high;
}

/** Σ w z and Σ w z zᵀ, over blocks of rows that stay in the cache, four columns at a time. */
export function weightedMoments({ n, k, z }: Problem, weights: Float64Array) {
  const first = new Float64Array(k);
  const second = new Float64Array(k * k);
  const scaled = new Float64Array(BLOCK);
  for (let start = 0; start < n; start += BLOCK) {
    const size = Math.min(BLOCK, n - start);
    for (let a = 0; a < k; a++) {
      const own = a * n + start;
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const value = (weights[start + i] as number) * (z[own + i] as number);
        scaled[i] = value;
        sum += value;
      }
      (first[a] as number) += sum;
      let b = 0;
      for (; b + 3 <= a; b += 4) {
        const at = b * n + start;
        let [p, q, r, s] = [0, 0, 0, 0];
        for (let i = 0; i < size; i++) {
          const value = scaled[i] as number;
          p += value * (z[at + i] as number);
          q += value * (z[at + n + i] as number);
          r += value * (z[at + 2 * n + i] as number);
          s += value * (z[at + 3 * n + i] as number);
        }
        (second[a * k + b] as number) += p;
        (second[a * k + b + 1] as number) += q;
        (second[a * k + b + 2] as number) += r;
        (second[a * k + b + 3] as number) += s;
      }
      for (; b <= a; b++) {
        const at = b * n + start;
        let sum = 0;
        for (let i = 0; i < size; i++) sum += (scaled[i] as number) * (z[at + i] as number);
        (second[a * k + b] as number) += sum;
      }
    }
  }
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < a; b++) second[b * k + a] = second[a * k + b] as number;
  }
  return { first, second };
}

/**
 * Evaluate the dual, its gradient and Hessian.
 *
 * The largest exponent is taken out before the exponential, so nothing overflows.
 */
export function evaluate(problem: Problem, multipliers: Float64Array): DualPoint {
  const { n, k, base } = problem;
  const share = heights(problem, multipliers);
  const highest = largest(share);
  let total = 0;
  for (let i = 0; i < n; i++) {
    const weight = Math.exp((share[i] as number) - highest) * (base ? (base[i] as number) : 1);
    share[i] = weight;
    total += weight;
  }
  for (let i = 0; i < n; i++) (share[i] as number) /= total;
  const { first: gradient, second: hessian } = weightedMoments(problem, share);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) {
      (hessian[a * k + b] as number) -= (gradient[a] as number) * (gradient[b] as number);
    }
  }
  const value = highest + Math.log(base ? total : total / n);
  return { multipliers, value, gradient, hessian, highest, share };
}
