/** Indices under the weights of a joint stress, each with its interval; the same ones as in Python. */

import type { OutcomeIndex, Outcomes } from "../wire/outcomes";
import { effectiveSize } from "./concentration";
import { heights, type Problem, weightedMoments } from "./dual";
import { cholesky, independent, solveCholesky, submatrix } from "./matrices";
import type { Solved } from "./stress";
import { studentReach } from "./student";

/** Share of a column's variance under the weights below which it is one that they have left. */
const FLAT = 1e-10;
/** Effective rows below which the spread of a value cannot be told. */
const FEWEST = 3;
/** Shares this close to 0 or 1 are taken for it. */
const EDGE = 1e-12;

export interface Estimate {
  /** NaN where the index is not defined: no weight left on its denominator. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

interface Influence {
  readonly value: number;
  /** What each row adds to the index, averaging to 0 under the weights; in `unit`s. */
  readonly own: (row: number) => number;
}

function sumOver(share: Float64Array, at: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < share.length; i++) sum += (share[i] as number) * at(i);
  return sum;
}

/** Row i of the weights is row `rows[i]` of the outcomes. */
function influence(
  index: OutcomeIndex,
  { cell, powers }: Outcomes,
  masses: Float64Array,
  share: Float64Array,
  rows: Int32Array | null,
): Influence {
  if (index.form === "ratio") {
    let [over, under] = [0, 0];
    masses.forEach((mass, c) => {
      over += mass * (index.top[c] as number);
      under += mass * (index.bottom[c] as number);
    });
    if (!(under > 0)) return { value: Number.NaN, own: () => 0 };
    const value = over / under;
    const gradient = index.top.map((top, c) => (top - value * (index.bottom[c] as number)) / under);
    return { value, own: (row) => gradient[cell[row] as number] as number };
  }
  const power = powers[index.power] as Float32Array;
  const at = rows ? (i: number) => power[rows[i] as number] as number : (i: number) => power[i] as number;
  const mean = sumOver(share, at);
  if (index.form === "mean") {
    return { value: index.centre + index.unit * mean, own: (row) => (power[row] as number) - mean };
  }
  if (index.form === "variance") {
    const variance = Math.max(sumOver(share, (i) => at(i) ** 2) - mean ** 2, 0);
    const own = (row: number) => {
      const value = power[row] as number;
      return mean ** 2 - variance - 2 * mean * value + value ** 2;
    };
    return { value: index.unit * variance, own };
  }
  const square = Math.max(mean, 0);
  const root = Math.sqrt(square);
  const half = 0.5 / (root > 0 ? root : 1);
  return { value: index.unit * root, own: (row) => half * ((power[row] as number) - square) };
}

/** What the weights leave of Φ: its independent columns, with the inverse of their second moments. */
function regression(problem: Problem, share: Float64Array, known: Float64Array | null) {
  const { k } = problem;
  const second = known ?? weightedMoments(problem, share).second; // at the targets a covariance is that already
  const size = Float64Array.from(
    { length: k },
    (_, j) => Math.sqrt(Math.max(second[j * k + j] as number, 0)) || 1,
  );
  const scaled = second.map(
    (value, at) => value / ((size[Math.floor(at / k)] as number) * (size[at % k] as number)),
  );
  const { kept } = independent(scaled, k, FLAT);
  const factor = cholesky(submatrix(second, k, kept), kept.length);
  return { kept: factor ? kept : [], factor: factor ?? new Float64Array(0) };
}

function subtract(from: Float64Array, slope: number, other: Float64Array): void {
  for (let i = 0; i < from.length; i++) from[i] = (from[i] as number) - slope * (other[i] as number);
}

/** Divide by a size, and add the squares. */
function addSquares(values: Float64Array, size: number, out: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = (values[i] as number) / size;
    values[i] = value;
    out[i] = (out[i] as number) + value * value;
  }
}

/** (Φ-t)ᵀ C⁻¹ (Φ-t) of every row. */
function distances({ n, z }: Problem, kept: readonly number[], factor: Float64Array): Float64Array {
  const m = kept.length;
  const out = new Float64Array(n);
  const done = Array.from({ length: m }, () => new Float64Array(n));
  kept.forEach((j, a) => {
    const own = done[a] as Float64Array;
    own.set(z.subarray(j * n, (j + 1) * n));
    for (let b = 0; b < a; b++) subtract(own, factor[a * m + b] as number, done[b] as Float64Array);
    addSquares(own, factor[a * m + a] as number, out);
  });
  return out;
}

/** Σ w g (Φ-t) over the rows, for some columns of Φ. */
function weightedProducts(
  { n, z }: Problem,
  kept: readonly number[],
  share: Float64Array,
  own: Float64Array,
): Float64Array {
  const weighted = new Float64Array(n);
  for (let i = 0; i < n; i++) weighted[i] = (share[i] as number) * (own[i] as number);
  const out = new Float64Array(kept.length);
  for (let a = 0; a < kept.length; a++) {
    const column = z.subarray((kept[a] as number) * n, ((kept[a] as number) + 1) * n);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (weighted[i] as number) * (column[i] as number);
    out[a] = sum;
  }
  return out;
}

/** Σ w² r² and Σ w³ (1 + d) r² of the residuals r. */
function squaredResiduals(
  own: Float64Array,
  fitted: Float64Array,
  share: Float64Array,
  distance: Float64Array,
): { readonly plain: number; readonly levered: number } {
  let [plain, levered] = [0, 0];
  for (let i = 0; i < own.length; i++) {
    const w = share[i] as number;
    const residual = w * ((own[i] as number) - (fitted[i] as number));
    const squared = residual * residual;
    plain += squared;
    levered += squared * w * (1 + (distance[i] as number));
  }
  return { plain, levered };
}

/** Kept inside (0, 1) so that the logit exists. */
function logit(share: number): number {
  const inside = Math.min(Math.max(share, EDGE), 1 - EDGE);
  return Math.log(inside / (1 - inside));
}

const expit = (value: number) => 1 / (1 + Math.exp(-value));

function interval(
  index: OutcomeIndex,
  value: number,
  error: number,
  reach: number,
  ess: number,
  tail: number,
) {
  if (Number.isNaN(value) || (index.kind === "value" && ess < FEWEST))
    return [Number.NaN, Number.NaN] as const;
  if (index.scale === "plain") return [value - reach * error, value + reach * error] as const;
  if (index.scale === "log") {
    const log = Math.log(Math.max(value, 2.2250738585072014e-308));
    const half = value > 0 ? (reach * error) / value : 0;
    return [Math.exp(Math.min(log - half, 700)), Math.exp(Math.min(log + half, 700))] as const;
  }
  const limit = -Math.expm1(Math.log(tail) / Math.max(ess, 1));
  if (value <= EDGE) return [0, limit] as const;
  if (value >= 1 - EDGE) return [1 - limit, 1] as const;
  const half = (reach * error) / (value * (1 - value));
  return [expit(logit(value) - half), expit(logit(value) + half)] as const;
}

/**
 * Estimate every index under solved weights.
 *
 * With the targets held, row i moves an index by w_i r_i, r_i its own influence less its regression on Φ - t. The
 * residuals are taken larger by their leverage w_i (1 + (Φ_i-t)ᵀ Cov⁻¹ (Φ_i-t)), to first order; Student's t has
 * (Σw²)² / Σw⁴ degrees of freedom; shares are taken on the logit, spreads on the log.
 *
 * @param confidence nominal coverage in (0, 1)
 */
export function estimates(outcomes: Outcomes, solved: Solved, confidence: number): Estimate[] {
  const nothing = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };
  if (solved.weights.length === 0) return outcomes.indices.map(() => nothing);
  const rows = solved.terms?.rows ?? null;
  const n = rows?.length ?? solved.weights.length;
  const share = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    share[i] = (solved.weights[rows ? (rows[i] as number) : i] as number) / solved.weights.length;
  }
  const problem: Problem = solved.terms?.problem ?? { n, k: 0, z: new Float64Array(0), base: null };
  const { kept, factor } = regression(problem, share, solved.hessian);
  const distance = distances(problem, kept, factor);
  const masses = new Float64Array(outcomes.nCells);
  for (let i = 0; i < n; i++) {
    (masses[outcomes.cell[rows ? (rows[i] as number) : i] as number] as number) += share[i] as number;
  }
  let [squares, fourths] = [0, 0];
  for (let i = 0; i < n; i++) {
    const square = (share[i] as number) ** 2;
    squares += square;
    fourths += square * square;
  }
  const reach = studentReach(Math.max(squares ** 2 / fourths, 1), confidence);
  const ess = effectiveSize(share);

  return outcomes.indices.map((index) => {
    const { value, own: at } = influence(index, outcomes, masses, share, rows);
    const own = new Float64Array(n);
    for (let i = 0; i < n; i++) own[i] = at(rows ? (rows[i] as number) : i);
    const slopes = new Float64Array(problem.k);
    solveCholesky(factor, kept.length, weightedProducts(problem, kept, share, own)).forEach((slope, a) => {
      slopes[kept[a] as number] = slope;
    });
    const { plain, levered } = squaredResiduals(own, heights(problem, slopes), share, distance);
    const leverage = Math.min(plain > 0 ? levered / plain : 0, 0.9);
    const error = (Math.sqrt(plain) / (1 - leverage)) * index.unit;
    const [lower, upper] = interval(index, value, error, reach, ess, 0.5 - confidence / 2);
    return { value, lower, upper };
  });
}
