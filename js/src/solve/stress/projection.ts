/** One tilt for given means: Newton inside the hull, cut down to a face where the target lies on its surface. */

// Decided in docs/decisions/0013-joint-stresses-are-solved-in-the-page.md.

import { evaluate, hessianAt, largest, type Problem } from "./dual";
import { cholesky, independent, submatrix } from "./matrices";
import { descend, dot, GAP, residual, TOLERANCE } from "./newton";
import { combination, product } from "./row_sums";
import { feasible } from "./simplex";

/** Variance left in some direction below which the target may lie on the hull's surface, as a share. */
export const THIN = 1e-6;
/** Distance from a column's extreme that counts as at it, standard deviations; the rounding of float32. */
const TOUCH = 1e-7;
const ON_FACE = 1e-6;
/** Share of a column's variance on a face below which it follows from the others. */
const DEPENDENT = 1e-10;

export interface Tilt {
  readonly status: "solved" | "limit" | "infeasible" | "unsolved";
  /** Summing to 1; 0 off the face of a limit. Meaningless if infeasible. */
  readonly share: Float64Array;
  /** Divergence from the weights without stress, nats. */
  readonly kl: number;
  /** To start from next time; those of the face for a limit. */
  readonly multipliers: Float64Array;
  /** Covariance of z under the weights; null but inside the hull. */
  readonly hessian: Float64Array | null;
  readonly evaluations: number;
}

function noTilt({ n, columns }: Problem, status: Tilt["status"], evaluations = 0): Tilt {
  const none = new Float64Array(n).fill(Number.NaN);
  const multipliers = new Float64Array(columns.length);
  return { status, share: none, kl: Number.NaN, multipliers, hessian: null, evaluations };
}

const ranges = new WeakMap<Float64Array, readonly [low: number, high: number]>();

/** The extremes of a column; columns are kept from one stress to the next, and so are these. */
function rangeOf(column: Float64Array): readonly [low: number, high: number] {
  const known = ranges.get(column);
  if (known) return known;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < column.length; i++) {
    const value = column[i] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  ranges.set(column, [low, high]);
  return [low, high];
}

/** The direction of the targets at their column's extreme; null for none, "outside" for one beyond it. */
export function directionAtBound({ columns }: Problem): Float64Array | null | "outside" {
  let found: Float64Array | null = null;
  for (const [j, column] of columns.entries()) {
    const [low, high] = rangeOf(column);
    if (low > GAP || high < -GAP) return "outside";
    if (low < -TOUCH && high > TOUCH) continue;
    found ??= new Float64Array(columns.length);
    found[j] = high <= TOUCH ? 1 : -1;
  }
  return found;
}

/** Σ b z and the covariance under the weights without stress. */
export function unstressedMoments(problem: Problem) {
  const unstressed = evaluate(problem, new Float64Array(problem.columns.length));
  return { mean: unstressed.gradient, covariance: hessianAt(problem, unstressed) };
}

/** Where the target lies: "inside" the hull of the rows, "outside", or along a direction no row goes beyond. */
function locateTarget(
  problem: Problem,
  mean: Float64Array,
): "inside" | "outside" | "undecided" | Float64Array {
  // the rows' cone is all of space just when it holds the direction opposite to their mean
  const found = feasible(
    problem.columns,
    mean.map((value) => -value),
  );
  if (found === null) return "undecided";
  if (found.kind === "vertex") return "inside";
  const size = found.direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const direction = found.direction.map((value) => value / size);
  const top = largest(combination(problem.columns, direction, new Float64Array(problem.n)));
  if (top < -GAP) return "outside";
  return top <= GAP ? direction : "undecided";
}

export interface Face {
  readonly rows: Int32Array;
  readonly problem: Problem;
  /** Columns of the problem that vary freely on the face, and the scale they were divided by. */
  readonly kept: readonly number[];
  readonly scale: Float64Array;
  readonly shareOfBase: number;
}

/** The rows that no row lies beyond along a direction, and what is left to do among them; null if unmet. */
export function cutFace(problem: Problem, direction: Float64Array): Face | null {
  const { n, columns, base } = problem;
  const k = columns.length;
  const height = combination(columns, direction, new Float64Array(n));
  const rows = Int32Array.from(
    Array.from({ length: n }, (_, i) => i).filter((i) => (height[i] as number) >= -ON_FACE),
  );
  const m = rows.length;
  if (m === 0) return null;
  const all = columns.map((column) => Float64Array.from(rows, (row) => column[row] as number));
  let shareOfBase = m / n;
  let kept: Float64Array | null = null;
  if (base) {
    kept = Float64Array.from(rows, (i) => base[i] as number);
    shareOfBase = kept.reduce((sum, value) => sum + value, 0);
    kept = kept.map((value) => value / shareOfBase);
  }
  const here: Problem = { n: m, columns: all, base: kept };
  const { mean, covariance } = unstressedMoments(here);
  const sd = mean.map((_, j) => Math.sqrt(Math.max(covariance[j * k + j] as number, 0)));
  const free = Array.from({ length: k }, (_, j) => j).filter((j) => (sd[j] as number) > ON_FACE);
  const flat = Array.from({ length: k }, (_, j) => j).filter((j) => !free.includes(j));
  if (flat.some((j) => Math.abs(mean[j] as number) > 2 * ON_FACE)) return null;
  const scaled = submatrix(covariance, k, free).map(
    (value, at) =>
      value /
      ((sd[free[Math.floor(at / free.length)] as number] as number) *
        (sd[free[at % free.length] as number] as number)),
  );
  const { kept: chosen, follows } = independent(scaled, free.length, DEPENDENT);
  const standard = (j: number) => (mean[free[j] as number] as number) / (sd[free[j] as number] as number);
  for (const [j, slopes] of follows) {
    const implied = slopes.reduce((sum, slope, l) => sum + slope * standard(chosen[l] as number), 0);
    const size = slopes.reduce((sum, slope) => sum + Math.abs(slope), 1);
    if (Math.abs(implied - standard(j)) > 10 * ON_FACE * size) return null;
  }
  const left = chosen.map((j) => free[j] as number);
  const scaledColumns = left.map((j) => (all[j] as Float64Array).map((value) => value / (sd[j] as number)));
  return {
    rows,
    kept: left,
    scale: Float64Array.from(left, (j) => sd[j] as number),
    shareOfBase,
    problem: { n: m, columns: scaledColumns, base: kept },
  };
}

/** Put all weight on the rows farthest along a direction, and solve what is left to do among them. */
function solveLimit(problem: Problem, direction: Float64Array, start: Float64Array): Tilt {
  const cut = cutFace(problem, direction);
  if (cut === null) return noTilt(problem, "infeasible");
  const share = new Float64Array(problem.n);
  const multipliers = new Float64Array(problem.columns.length);
  const begin = Float64Array.from(cut.kept, (j, at) => (start[j] as number) * (cut.scale[at] as number));
  const inner = cut.kept.length > 0 ? project(cut.problem, begin) : null;
  if (inner && inner.status !== "solved" && inner.status !== "limit") {
    return noTilt(problem, inner.status, inner.evaluations);
  }
  const plain = 1 / cut.rows.length;
  cut.rows.forEach((row, i) => {
    share[row] = inner ? (inner.share[i] as number) : (cut.problem.base?.[i] ?? plain);
  });
  cut.kept.forEach((j, at) => {
    if (inner) multipliers[j] = (inner.multipliers[at] as number) / (cut.scale[at] as number);
  });
  return {
    status: "limit",
    share,
    kl: (inner?.kl ?? 0) - Math.log(cut.shareOfBase),
    multipliers,
    hessian: null,
    evaluations: inner?.evaluations ?? 0,
  };
}

/** Largest miss of a target under some weights, standard deviations. */
function largestMiss({ columns }: Problem, share: Float64Array): number {
  return columns.reduce((most, column) => Math.max(most, Math.abs(product(share, column))), 0);
}

/**
 * Find the closest weights under which every column of z averages 0.
 *
 * "infeasible" is said on proof only: multipliers, or a direction of a linear program, that separate the target
 * from every row; or a face of the hull in whose plane the target does not lie.
 *
 * @param problem columns of unit variance, none a linear function of others
 */
export function project(problem: Problem, start: Float64Array): Tilt {
  const touched = directionAtBound(problem);
  if (touched === "outside") return noTilt(problem, "infeasible");
  if (touched) return solveLimit(problem, touched, start);
  const { outcome, point, hessian, evaluations } = descend(problem, start);
  if (outcome === "outside") return noTilt(problem, "infeasible", evaluations);
  const tilt: Tilt = {
    status: outcome === "converged" ? "solved" : "unsolved",
    share: point.share,
    kl: dot(point.multipliers, point.gradient) - point.value,
    multipliers: point.multipliers,
    hessian,
    evaluations,
  };
  const covariance = problem.covariance ?? unstressedMoments(problem).covariance;
  const left = hessian.map((value, at) => value - THIN * (covariance[at] as number));
  if (outcome === "converged" && cholesky(left, problem.columns.length)) return tilt;
  const place = locateTarget(problem, unstressedMoments(problem).mean);
  if (place === "outside") return noTilt(problem, "infeasible", evaluations);
  if (place instanceof Float64Array) {
    const found = solveLimit(problem, place, new Float64Array(problem.columns.length));
    if (outcome !== "converged") return found;
    if (found.status === "limit" && largestMiss(problem, found.share) <= Math.max(TOLERANCE, residual(point)))
      return found;
  }
  return tilt;
}
