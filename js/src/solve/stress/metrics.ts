/** Metrics under the weights of a joint stress, each with its interval; the same ones as in Python. */

import type { OutcomeMetric, Outcomes } from "../../wire/stress/outcomes";
import { tQuantile } from "../student_t";
import { effectiveSize } from "./concentration";
import type { Problem } from "./dual";
import { cholesky, independent, solveCholesky, submatrix } from "./matrices";
import { combination, product, secondMoments, squaredNorms } from "./row_sums";
import type { Solved } from "./solver";

/** Share of a column's variance under the weights below which it is one that they have left. */
export const FLAT = 1e-10;
/** Effective rows below which the spread of a value cannot be told. */
export const FEWEST = 3;
/** Shares this close to 0 or 1 are taken for it. */
export const EDGE = 1e-12;

export interface Estimate {
  /** NaN where the metric is not defined: no weight left on its denominator. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** The rows' parts in the metrics, in the order of the weights. */
interface Parts {
  readonly cell: Outcomes["cell"];
  readonly powers: Outcomes["powers"];
}

/** Row i of the weights is row `rows[i]` of the outcomes. */
function partsOf({ cell, powers }: Outcomes, rows: Int32Array | null): Parts {
  if (rows === null) return { cell, powers };
  return {
    cell: Int32Array.from(rows, (row) => cell[row] as number),
    powers: powers.map((power) => Float32Array.from(rows, (row) => power[row] as number)),
  };
}

function weightedSum(share: Float64Array, values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < share.length; i++) sum += (share[i] as number) * (values[i] as number);
  return sum;
}

function weightedSquares(share: Float64Array, values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < share.length; i++) {
    const value = values[i] as number;
    sum += (share[i] as number) * value * value;
  }
  return sum;
}

/** Write (a + b x + c x²) of every row. */
function writeSquare(values: Float32Array, a: number, b: number, c: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    const value = values[i] as number;
    out[i] = a + value * (b + c * value);
  }
}

/** Write what each row adds to the metric, averaging to 0 under the weights, in `unit`s; the metric is returned. */
function writeInfluence(
  metric: OutcomeMetric,
  { cell, powers }: Parts,
  masses: Float64Array,
  share: Float64Array,
  out: Float64Array,
): number {
  if (metric.form === "ratio") {
    let [over, under] = [0, 0];
    masses.forEach((mass, c) => {
      over += mass * (metric.top[c] as number);
      under += mass * (metric.bottom[c] as number);
    });
    out.fill(0);
    if (!(under > 0)) return Number.NaN;
    const value = over / under;
    const gradient = Float64Array.from(
      metric.top,
      (top, c) => (top - value * (metric.bottom[c] as number)) / under,
    );
    for (let i = 0; i < out.length; i++) out[i] = gradient[cell[i] as number] as number;
    return value;
  }
  const power = powers[metric.power] as Float32Array;
  const mean = weightedSum(share, power);
  if (metric.form === "mean") {
    writeSquare(power, -mean, 1, 0, out);
    return metric.centre + metric.unit * mean;
  }
  if (metric.form === "variance") {
    const variance = Math.max(weightedSquares(share, power) - mean ** 2, 0);
    writeSquare(power, mean ** 2 - variance, -2 * mean, 1, out);
    return metric.unit * variance;
  }
  const square = Math.max(mean, 0);
  const root = Math.sqrt(square);
  const half = 0.5 / (root > 0 ? root : 1);
  writeSquare(power, -half * square, half, 0, out);
  return metric.unit * root;
}

/** What the weights leave of Φ: its independent columns, with the inverse of their second moments. */
function regression({ columns }: Problem, share: Float64Array, known: Float64Array | null) {
  const k = columns.length;
  const second = known ?? secondMoments(columns, share); // at the targets a covariance is that already
  const size = Float64Array.from(
    { length: k },
    (_, j) => Math.sqrt(Math.max(second[j * k + j] as number, 0)) || 1,
  );
  const scaled = second.map(
    (value, at) => value / ((size[Math.floor(at / k)] as number) * (size[at % k] as number)),
  );
  const { kept } = independent(scaled, k, FLAT);
  const factor = cholesky(submatrix(second, k, kept), kept.length);
  const independentColumns = factor ? kept.map((j) => columns[j] as Float64Array) : [];
  return { columns: independentColumns, factor: factor ?? new Float64Array(0) };
}

/** Σ w² r² and Σ w³ (1 + d) r² of the residuals r. */
function squaredResiduals(
  values: Float64Array,
  fitted: Float64Array,
  share: Float64Array,
  distance: Float64Array,
): { readonly plain: number; readonly levered: number } {
  let [plain, levered] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const w = share[i] as number;
    const residual = w * ((values[i] as number) - (fitted[i] as number));
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
  metric: OutcomeMetric,
  value: number,
  error: number,
  quantile: number,
  ess: number,
  tail: number,
) {
  if (Number.isNaN(value) || (metric.kind === "value" && ess < FEWEST))
    return [Number.NaN, Number.NaN] as const;
  if (metric.scale === "plain") return [value - quantile * error, value + quantile * error] as const;
  if (metric.scale === "log") {
    const log = Math.log(Math.max(value, 2.2250738585072014e-308));
    const half = value > 0 ? (quantile * error) / value : 0;
    return [Math.exp(Math.min(log - half, 700)), Math.exp(Math.min(log + half, 700))] as const;
  }
  const limit = -Math.expm1(Math.log(tail) / Math.max(ess, 1));
  if (value <= EDGE) return [0, limit] as const;
  if (value >= 1 - EDGE) return [1 - limit, 1] as const;
  const half = (quantile * error) / (value * (1 - value));
  return [expit(logit(value) - half), expit(logit(value) + half)] as const;
}

export type Estimator = (metric: number) => Estimate;

const NOTHING: Estimate = { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };

/**
 * Estimates of the metrics under solved weights, each made when it is first asked for.
 *
 * With the targets held, row i moves a metric by w_i r_i, r_i its own influence less its regression on Φ - t. The
 * residuals are taken larger by their leverage w_i (1 + (Φ_i-t)ᵀ Cov⁻¹ (Φ_i-t)), to first order; Student's t has
 * (Σw²)² / Σw⁴ degrees of freedom; shares are taken on the logit, spreads on the log.
 *
 * @param confidence nominal coverage in (0, 1)
 */
export function createEstimator(outcomes: Outcomes, solved: Solved, confidence: number): Estimator {
  if (solved.weights.length === 0) return () => NOTHING;
  const rows = solved.terms?.rows ?? null;
  const { share } = solved;
  const n = share.length;
  const problem: Problem = solved.terms?.problem ?? { n, columns: [], base: null };
  const { columns, factor } = regression(problem, share, solved.hessian);
  const distance = squaredNorms(columns, factor, n);
  const parts = partsOf(outcomes, rows);
  const masses = new Float64Array(outcomes.nCells);
  for (let i = 0; i < n; i++) (masses[parts.cell[i] as number] as number) += share[i] as number;
  let [squares, fourths] = [0, 0];
  for (let i = 0; i < n; i++) {
    const square = (share[i] as number) ** 2;
    squares += square;
    fourths += square * square;
  }
  const quantile = tQuantile(Math.max(squares ** 2 / fourths, 1), confidence);
  const ess = effectiveSize(share);

  const values = new Float64Array(n);
  const scratch = new Float64Array(n);
  const estimate = (metric: OutcomeMetric): Estimate => {
    const value = writeInfluence(metric, parts, masses, share, values);
    for (let i = 0; i < n; i++) scratch[i] = (share[i] as number) * (values[i] as number);
    const products = columns.map((column) => product(scratch, column));
    const slopes = solveCholesky(factor, columns.length, products);
    const fitted = combination(columns, slopes, scratch);
    const { plain, levered } = squaredResiduals(values, fitted, share, distance);
    const leverage = Math.min(plain > 0 ? levered / plain : 0, 0.9);
    const error = (Math.sqrt(plain) / (1 - leverage)) * metric.unit;
    const [lower, upper] = interval(metric, value, error, quantile, ess, 0.5 - confidence / 2);
    return { value, lower, upper };
  };
  const made: (Estimate | undefined)[] = outcomes.metrics.map(() => undefined);
  return (which) => {
    const metric = outcomes.metrics[which];
    if (!metric) return NOTHING;
    made[which] ??= estimate(metric);
    return made[which];
  };
}
