/** Metrics under the weights of a joint stress, each with its interval; the same ones as in Python. */

import type { Columns } from "../../wire/columns";
import type { OutcomeMetricMessage } from "../../wire/messages";
import type { Judged } from "../../wire/reasons";
import type { Outcomes, TauEnds } from "../../wire/stress/joint";
import { divergenceRatio, paretoK } from "./concentration";
import type { Problem } from "./dual";
import {
  type CellSums,
  countSupport,
  type Estimate,
  effectiveRows,
  isRate,
  isSpread,
  STEEPEST,
} from "./estimates";
import { analyticInterval } from "./intervals";
import { dot } from "./newton";
import { createResidual } from "./regression";
import { judge, REASONS, type Support } from "./reliability";
import type { Solved } from "./solver";
import { targetsOf } from "./targets";

/** One metric with its interval, and what decides over its reliability. */
export interface MetricEstimate extends Judged {
  /** NaN where the metric is not defined: no weight left on its denominator. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** The rows that metrics are estimated on. */
export interface Sample {
  readonly columns: Columns;
  readonly outcomes: Outcomes;
  readonly ends: TauEnds;
  /** Nominal coverage in (0, 1). */
  readonly confidence: number;
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

/** A metric, and whether next to no weight is left on its denominator: then any share could be it. */
interface Linearised {
  readonly value: number;
  readonly unbounded: boolean;
}

const bounded = (value: number): Linearised => ({ value, unbounded: false });

/** The mean of the ratios that have weight below their line, and its gradient by cell; NaN where none has. */
function meanOfRatios({ top, bottom }: OutcomeMetricMessage, masses: Float64Array) {
  const gradient = new Float64Array(masses.length);
  let [sum, n] = [0, 0];
  for (let start = 0; start < top.length; start += masses.length) {
    let [over, under] = [0, 0];
    masses.forEach((mass, c) => {
      over += mass * (top[start + c] as number);
      under += mass * (bottom[start + c] as number);
    });
    if (!(under > 0)) continue;
    const value = over / under;
    sum += value;
    n += 1;
    for (let c = 0; c < masses.length; c++) {
      (gradient[c] as number) += ((top[start + c] as number) - value * (bottom[start + c] as number)) / under;
    }
  }
  return { value: sum / n, gradient: gradient.map((slope) => slope / n) };
}

/** Write what each row adds to the metric, averaging to 0 under the weights, in `unit`s. */
function writeInfluence(
  metric: OutcomeMetricMessage,
  { cell, powers }: Parts,
  masses: Float64Array,
  share: Float64Array,
  out: Float64Array,
): Linearised {
  if (metric.form === "ratio" || metric.form === "mean_ratio") {
    const { value, gradient } = meanOfRatios(metric, masses);
    out.fill(0);
    if (Number.isNaN(value)) return bounded(value);
    if (gradient.some((slope) => Math.abs(slope) > STEEPEST)) return { value, unbounded: true };
    for (let i = 0; i < out.length; i++) out[i] = gradient[cell[i] as number] as number;
    return bounded(value);
  }
  const power = powers[metric.power] as Float32Array;
  const mean = weightedSum(share, power);
  if (metric.form === "mean") {
    writeSquare(power, -mean, 1, 0, out);
    return bounded(metric.centre + metric.unit * mean);
  }
  if (metric.form === "variance") {
    const variance = Math.max(weightedSquares(share, power) - mean ** 2, 0);
    writeSquare(power, mean ** 2 - variance, -2 * mean, 1, out);
    return bounded(metric.unit * variance);
  }
  const square = Math.max(mean, 0);
  const root = Math.sqrt(square);
  const half = 0.5 / (root > 0 ? root : 1);
  writeSquare(power, -half * square, half, 0, out);
  return bounded(metric.unit * root);
}

export type Estimator = (metric: number) => MetricEstimate;

/** Of a metric that need not be among the sample's; its cells are. */
export type MetricEstimator = (metric: OutcomeMetricMessage) => MetricEstimate;

export const NOTHING: MetricEstimate = {
  value: Number.NaN,
  lower: Number.NaN,
  upper: Number.NaN,
  reason: REASONS.indexOf("undefined"),
  amount: 0,
};

function cellSums({ cell }: Parts, nCells: number, share: Float64Array): CellSums {
  const [masses, squares] = [new Float64Array(nCells), new Float64Array(nCells)];
  for (let i = 0; i < share.length; i++) {
    const [c, w] = [cell[i] as number, share[i] as number];
    (masses[c] as number) += w;
    (squares[c] as number) += w * w;
  }
  return { masses, squares };
}

/** Effective rows that make up the mean of squares v, (Σ w v)² / Σ w² v²: of a power, or of it about its mean. */
function squareRows({ powers }: Parts, place: number, share: Float64Array, centred = false): number {
  const power = powers[place] as Float32Array;
  const mean = centred ? weightedSum(share, power) : 0;
  let [mass, squares] = [0, 0];
  for (let i = 0; i < share.length; i++) {
    const value = power[i] as number;
    const part = (share[i] as number) * (centred ? (value - mean) ** 2 : value);
    mass += part;
    squares += part * part;
  }
  return effectiveRows(mass, squares);
}

/** Σ w², and (Σ w²)² / Σ w⁴, at least 1: effective rows are 1 over the first, degrees of freedom the second. */
function sizesOf(share: Float64Array) {
  let [squares, fourths] = [0, 0];
  for (let i = 0; i < share.length; i++) {
    const square = (share[i] as number) ** 2;
    squares += square;
    fourths += square * square;
  }
  return { ess: 1 / squares, df: Math.max(squares ** 2 / fourths, 1) };
}

function countPositive(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > 0) count++;
  return count;
}

/** Squared standard error of a metric, in its units, and the share of it that the targets have. */
interface Squared {
  readonly squared: number;
  readonly ofTargets: number;
}
type Variance = (metric: OutcomeMetricMessage, values: Float64Array) => Squared;

/** Of a group, `share` its part of the weight and `own` 1 over that in its rows, 0 in others. */
interface Inside {
  readonly share: number;
  readonly own: Float64Array;
}

function stressedVariance(
  problem: Problem,
  { share, hessian }: Solved,
  targets: Float64Array,
  inside: Inside | null,
): Variance {
  const k = problem.columns.length;
  const residual = createResidual(problem, share, hessian, inside?.own ?? null);
  const part = inside?.share ?? 1;
  return (_, values) => {
    const { slopes, plain, levered } = residual(values);
    const leverage = Math.min(plain > 0 ? levered / plain : 0, 0.9);
    const moved = slopes.map((_slope, j) => dot(slopes, targets.subarray(j * k, (j + 1) * k)));
    const ofTargets = dot(slopes, moved);
    const squared = plain / (1 - leverage) ** 2 + ofTargets;
    return { squared: squared / part ** 2, ofTargets: squared > 0 ? ofTargets / squared : 0 };
  };
}

function unstressedVariance(share: Float64Array, ess: number): Variance {
  return (metric, values) => {
    let plain = 0;
    for (let i = 0; i < share.length; i++) plain += ((share[i] as number) * (values[i] as number)) ** 2;
    return { squared: isRate(metric) ? plain : (plain * ess) / Math.max(ess - 1, 1), ofTargets: 0 };
  };
}

function insideOf({ share, terms }: Solved, within: Uint8Array): Inside {
  const own = share.map((_, i) => within[terms?.rows ? (terms.rows[i] as number) : i] as number);
  const part = own.reduce((sum, one, i) => sum + one * (share[i] as number), 0);
  return { share: part, own: own.map((one) => one / part) };
}

/** Pareto k̂ of a group's own weights. */
function paretoOfGroup({ share, terms }: Solved, { own }: Inside): number {
  const rows = (_: unknown, i: number) => (own[i] as number) > 0;
  const base = terms?.problem.base?.filter(rows) ?? null;
  const before = base?.reduce((sum, w) => sum + w, 0) ?? 1;
  const mine = share.filter(rows);
  const now = mine.reduce((sum, w) => sum + w, 0);
  return paretoK(
    mine.map((w) => w / now),
    base?.map((w) => w / before),
  );
}

/**
 * What the estimates of all metrics under solved weights have in common.
 *
 * Row i moves a metric by w_i r_i + ⟨b, ψ_i⟩: r_i its own influence less its regression b on Φ - t, ψ_i what it adds
 * to the targets, which τ and the present means estimate from the rows. The residuals are taken larger by their
 * leverage w_i (1 + (Φ_i-t)ᵀ Cov⁻¹ (Φ_i-t)), to first order. Unstressed, the influence is all there is.
 *
 * @param within whether a row of the sample is of the group that the metrics are of; the stress is that of all rows
 */
function prepareEstimate(
  { columns, outcomes, ends, confidence }: Sample,
  solved: Solved,
  within: Uint8Array | null,
): MetricEstimator {
  const { terms, stress } = solved;
  const n = solved.share.length;
  if (n === 0) return () => NOTHING;
  const inside = within && insideOf(solved, within);
  if (inside && !(inside.share > 0)) return () => NOTHING;
  const share = inside ? solved.share.map((w, i) => w * (inside.own[i] as number)) : solved.share;
  const parts = partsOf(outcomes, terms?.rows ?? null);
  const sums = cellSums(parts, outcomes.nCells, share);
  const { ess, df } = sizesOf(share);
  const targets = terms && targetsOf(columns, stress, ends, terms);
  const support: Support = {
    nBeyond: targets?.nBeyond ?? Infinity,
    inDoubt: targets?.inDoubt ?? false,
    pareto_k: inside ? paretoOfGroup(solved, inside) : solved.pareto_k,
    divergenceRatio: targets ? divergenceRatio(solved.kl, solved.tv, targets.movedShare) : 1,
  };
  const variance = targets
    ? stressedVariance(terms.problem, solved, targets.covariance, inside)
    : unstressedVariance(share, ess);
  const nRows = inside ? countPositive(inside.own) : targets ? n : countPositive(share);

  const values = new Float64Array(n);
  return (metric) => {
    const { value, unbounded } = writeInfluence(metric, parts, sums.masses, share, values);
    if (inside) for (let i = 0; i < n; i++) if (inside.own[i] === 0) values[i] = 0;
    const { squared, ofTargets } = variance(metric, values);
    const error = unbounded ? Infinity : Math.sqrt(squared) * metric.unit;
    const counts = countSupport(
      metric,
      value,
      sums,
      ess,
      () => squareRows(parts, metric.power, share, metric.form === "variance"),
      (power) => squareRows(parts, power, share),
    );
    const found: Estimate = { value, error, df, ess, ...counts, ofTargets };
    const [lower, upper] = analyticInterval(metric, found, confidence, nRows);
    return { value, lower, upper, ...judge(metric, found, support) };
  };
}

/** Estimates under solved weights of any metric of the sample's cells; nothing is computed before the first. */
export function createMetricEstimator(
  sample: Sample,
  solved: Solved,
  within: Uint8Array | null = null,
): MetricEstimator {
  let estimate: MetricEstimator | undefined;
  return (metric) => {
    estimate ??= prepareEstimate(sample, solved, within);
    return estimate(metric);
  };
}

/** Estimates of some metrics by their position, each made when it is first asked for. */
export function byPosition(metrics: readonly OutcomeMetricMessage[], estimate: MetricEstimator): Estimator {
  const made: (MetricEstimate | undefined)[] = [];
  return (which) => {
    const metric = metrics[which];
    if (!metric) return NOTHING;
    made[which] ??= estimate(metric);
    return made[which];
  };
}

/** Estimates of the sample's metrics under solved weights. */
export function createEstimator(sample: Sample, solved: Solved, within: Uint8Array | null = null): Estimator {
  return byPosition(sample.outcomes.metrics, createMetricEstimator(sample, solved, within));
}

/**
 * The outcomes as a group of rows is judged by them: each spread by the Pareto k̂ of the group's own squares, every
 * row of it counted once.
 *
 * @param within whether a row is of the group
 */
export function withOwnTails(outcomes: Outcomes, within: Uint8Array): Outcomes {
  const metrics = outcomes.metrics.map((metric) => {
    if (!isSpread(metric)) return metric;
    const power = outcomes.powers[metric.power] as Float32Array;
    const values = Float64Array.from(power.filter((_, row) => within[row] === 1));
    const centre =
      metric.form === "variance" ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
    const squares = metric.form === "variance" ? values.map((value) => (value - centre) ** 2) : values;
    return { ...metric, tail: paretoK(squares) };
  });
  return { ...outcomes, metrics };
}
