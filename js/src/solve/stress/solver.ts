/** A stress solved in the page: the weights nearest to none at all under which it holds, and how far they are. */

import type { Columns } from "../../wire/columns";
import type { ColumnMessage } from "../../wire/messages";
import { isStressed, type Stress, tauOf } from "../../wire/shared_stress";
import { type Carriers, fewCarriers, NO_FEW } from "./carriers";
import { effectiveSize, paretoK } from "./concentration";
import { cholesky, solveCholesky } from "./matrices";
import { project, type Tilt } from "./projection";
import { type Terms, termsOf } from "./terms";

/**
 * "limit": on the surface of what the rows allow, some of them without weight. "infeasible": proven beyond it.
 * "unsolved": neither solved nor disproved. Numbers are NaN, and there are no weights, for the last two.
 */
export type Status = "solved" | "limit" | "infeasible" | "unsolved";

export interface Solved {
  readonly stress: Stress;
  readonly status: Status;
  /** Why there are no weights, in words; "" where there are. */
  readonly reason: string;
  /** One per row, mean 1, those without stress included; empty where there are none. */
  readonly weights: Float64Array;
  /** The weights of the rows that count, `terms.rows`, summing to 1. */
  readonly share: Float64Array;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly pareto_k: number;
  /** The few rows that carry the weight moved. */
  readonly carriers: Carriers;
  /** Mean of a feature over its rows with a value, in its unit; of a share, the share. */
  readonly achieved: (feature: number) => number;
  /** What was solved; null without stress, or where nothing could be. */
  readonly terms: Terms | null;
  /** Multipliers by term, to start from next time. */
  readonly multipliers: ReadonlyMap<string, number>;
  /** Covariance of the terms' columns under the weights; null but inside the hull. */
  readonly hessian: Float64Array | null;
  /** What a Newton step from the neighbour missed; null without one. */
  readonly missed: Missed | null;
  readonly evaluations: number;
}

interface Missed {
  /** Squared length of the step, standard deviations. */
  readonly length: number;
  readonly by: Float64Array;
}

/** Squared length of a step over that of the last one, up to which what the last one missed tells of it. */
const SIMILAR = 4;

const NONE = new Map<string, number>();

/** Weighted mean of a column over the rows with a value. */
function meanUnder(z: Float32Array, weights: Float64Array): number {
  let total = 0;
  let size = 0;
  for (let i = 0; i < z.length; i++) {
    const value = z[i] as number;
    if (Number.isNaN(value)) continue;
    const weight = weights[i] as number;
    total += weight * value;
    size += weight;
  }
  return size > 0 ? total / size : Number.NaN;
}

/** Weighted mean of a feature, in its unit, summed when first asked for. */
function achievedMeans({ message, column, centre }: Columns, weights: Float64Array): Solved["achieved"] {
  const known = new Map<number, number>();
  return (feature) => {
    const found = known.get(feature);
    if (found !== undefined) return found;
    const { mean, sd } = message.features[feature] as ColumnMessage;
    const value = mean + sd * (meanUnder(column(feature), weights) - (centre[feature] as number));
    known.set(feature, value);
    return value;
  };
}

function unsolved(stress: Stress, status: Status, reason: string, evaluations = 0): Solved {
  const none = Number.NaN;
  const rows = new Float64Array(0);
  const numbers = {
    weights: rows,
    share: rows,
    ess: none,
    kl: none,
    tv: none,
    pareto_k: none,
    carriers: NO_FEW,
    achieved: () => none,
  };
  const tilt = { terms: null, multipliers: NONE, hessian: null, missed: null, evaluations };
  return { stress, status, reason, ...numbers, ...tilt };
}

function solveUnstressed(columns: Columns, stress: Stress): Solved {
  const n = columns.message.n_rows;
  const weights = columns.base ?? new Float64Array(n).fill(1);
  const share = weights.map((weight) => weight / n);
  return {
    stress,
    status: "solved",
    reason: "",
    weights,
    share,
    ess: effectiveSize(share),
    kl: 0,
    tv: 0,
    pareto_k: columns.base ? paretoK(share) : 0,
    carriers: NO_FEW,
    achieved: (feature) => columns.message.features[feature]?.mean ?? Number.NaN,
    terms: null,
    multipliers: NONE,
    hessian: null,
    missed: null,
    evaluations: 0,
  };
}

function describe(columns: Columns, stress: Stress, terms: Terms, tilt: Tilt, missed: Missed | null): Solved {
  const { message } = columns;
  const { base } = terms.problem;
  const { share } = tilt;
  const n = message.n_rows;
  const weights = new Float64Array(n);
  let tv = 0;
  for (let i = 0; i < share.length; i++) {
    const part = share[i] as number;
    weights[terms.rows ? (terms.rows[i] as number) : i] = part * n;
    tv += Math.abs(part - (base ? (base[i] as number) : 1 / share.length));
  }
  return {
    stress,
    status: tilt.status,
    reason: "",
    weights,
    share,
    ess: effectiveSize(share),
    kl: Math.max(tilt.kl, 0),
    tv: tv / 2,
    pareto_k: paretoK(share, base),
    carriers: fewCarriers(share, base),
    achieved: achievedMeans(columns, weights),
    terms,
    multipliers: new Map(
      terms.terms.map(({ key }, j) => [key, (tilt.multipliers[j] as number) / (terms.scale[j] as number)]),
    ),
    hessian: tilt.hessian,
    missed,
    evaluations: tilt.evaluations,
  };
}

/** Change of the standardised targets from one stress to another with the same terms; null for others. */
function targetChange({ terms, scale }: Terms, from: Terms | null): Float64Array | null {
  if (from?.terms.length !== terms.length) return null;
  if (!terms.every(({ key }, j) => key === from.terms[j]?.key)) return null;
  return Float64Array.from(
    terms,
    ({ target }, j) => (target - (from.terms[j]?.target as number)) / (scale[j] as number),
  );
}

function squaredLength(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** The neighbour's multipliers, and one Newton step towards the new targets: its Hessian is there already. */
function linearStart(
  { terms, scale }: Terms,
  moved: Float64Array | null,
  warm: Solved | undefined,
): Float64Array {
  const known = (key: string) => warm?.multipliers.get(key) ?? 0;
  const start = Float64Array.from(terms, ({ key }, j) => known(key) * (scale[j] as number));
  const factor = moved && warm?.hessian ? cholesky(warm.hessian, moved.length) : null;
  if (!moved || !factor) return start;
  const step = solveCholesky(factor, moved.length, moved);
  return start.map((value, j) => value + (step[j] as number));
}

/** What a step misses that way, told from the last one: it goes with the square of the step's length. */
function expectMiss(moved: Float64Array | null, missed: Missed | null): (term: number) => number {
  const ratio = moved && missed ? squaredLength(moved) / missed.length : Number.NaN;
  return ratio <= SIMILAR ? (term) => ratio * (missed?.by[term] ?? 0) : () => 0;
}

/**
 * Solve a stress on shipped columns.
 *
 * @param warm the answer to a neighbouring stress on the same columns, to start from
 */
export function solveStress(columns: Columns, stress: Stress, warm?: Solved): Solved {
  const { message, place } = columns;
  if (!message.shipped) throw new Error("Columns past the page's budget are solved by the kernel.");
  if (!isStressed(stress)) return solveUnstressed(columns, stress);
  const names = Object.keys(stress.taus);
  const strange = names.find((name) => !place.has(name));
  if (strange !== undefined) {
    return unsolved(stress, "unsolved", `there is no feature “${strange}” here`);
  }
  const moved = names.map((name) => place.get(name) as number).sort((a, b) => a - b);
  const taus = moved.map((feature) => tauOf(stress, message.features[feature]?.name ?? ""));
  const terms = termsOf(columns, stress, moved, taus, -1, warm?.terms);
  if (terms.contradiction) return unsolved(stress, "infeasible", terms.contradiction);
  const change = targetChange(terms, warm?.terms ?? null);
  const linear = linearStart(terms, change, warm);
  const again = expectMiss(change, warm?.missed ?? null);
  const start = linear.map((value, j) => value + again(j));
  const tilt = project(terms.problem, start);
  if (tilt.status === "infeasible") {
    const reason = "these rows cannot be weighted that far, not for all of it at once";
    return unsolved(stress, "infeasible", reason, tilt.evaluations);
  }
  if (tilt.status === "unsolved") {
    return unsolved(
      stress,
      "unsolved",
      "no weights were found, nor a proof that there are none",
      tilt.evaluations,
    );
  }
  const missed =
    change && tilt.hessian
      ? {
          length: squaredLength(change),
          by: tilt.multipliers.map((value, j) => value - (linear[j] as number)),
        }
      : null;
  return describe(columns, stress, terms, tilt, missed);
}
