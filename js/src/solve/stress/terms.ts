/** A stress in numbers: the columns of Φ, their targets, and what has to be held for them to mean what they say. */

import type { Columns } from "../../wire/columns";
import type { ColumnMessage } from "../../wire/messages";
import type { Stress } from "../../wire/shared_stress";
import type { Problem } from "./dual";
import { type Dependence, independent, submatrix } from "./matrices";
import { unstressedMoments } from "./projection";

/** Share of a column's variance that the others leave it, below which it is one of them. */
export const DEPENDENT = 1e-12;
/** Distance between a dependent target and the one that follows, standard deviations. */
const CONSISTENT = 1e-6;

/** What one column of Φ stands for. */
export interface Term {
  /** The same for the same quantity at any target. */
  readonly key: string;
  /** "rows" is the share of the rows that have a value at all. */
  readonly kind: "mean" | "covariance" | "rows";
  readonly feature: number;
  /** The held feature of a covariance, else -1. */
  readonly other: number;
  /** Mean asked of a moved feature, standardised; 0 for what stays. */
  readonly target: number;
  /** True where nobody moved it but the stress rests on it. */
  readonly held: boolean;
}

export interface Terms {
  readonly terms: readonly Term[];
  /** Φ - t, each column divided by `scale`, its unstressed standard deviation. */
  readonly problem: Problem;
  readonly scale: Float64Array;
  /** What each column took from its feature's values. */
  readonly origins: Float64Array;
  /** Rows that count, where some have no weight; null for all. */
  readonly rows: Int32Array | null;
  /** Whether no term was left out as following from others. */
  readonly complete: boolean;
  /** Why no weights can meet the stress, where a target contradicts the others; "" otherwise. */
  readonly contradiction: string;
}

/** The mean that τ asks for, standardised; τ = ±1 is exactly the float32 value that rows hold. */
export function standardTarget(columns: Columns, feature: number, tau: number): number {
  const { mean, sd, low, high } = columns.message.features[feature] as ColumnMessage;
  const end = Math.fround(((tau < 0 ? low : high) - mean) / sd);
  const centre = columns.centre[feature] as number;
  return Math.abs(tau) === 1 ? end : centre + Math.abs(tau) * (end - centre);
}

/** The features that stay: all that can be held but those of a moved column. */
export function heldFeatures({ message }: Columns, moved: readonly number[], stress: Stress): number[] {
  if (stress.hold === "none") return [];
  const columns = new Set(moved.map((feature) => message.features[feature]?.column));
  return message.features.flatMap(({ held, column }, feature) =>
    held && !columns.has(column) ? [feature] : [],
  );
}

function listTerms(
  columns: Columns,
  targets: ReadonlyMap<number, number>,
  stress: Stress,
  free: number,
): Term[] {
  const moved = [...targets.keys()];
  const held = heldFeatures(columns, moved, stress);
  const mean = (feature: number, isHeld: boolean): Term => ({
    key: `mean ${feature}`,
    kind: "mean",
    feature,
    other: -1,
    target: isHeld ? 0 : (targets.get(feature) ?? 0),
    held: isHeld,
  });
  const terms = [
    ...moved.filter((feature) => feature !== free).map((feature) => mean(feature, false)),
    ...held.map((feature) => mean(feature, true)),
  ];
  if (stress.hold === "uncorrelated") {
    for (const feature of moved) {
      for (const other of held) {
        terms.push({
          key: `covariance ${feature} ${other}`,
          kind: "covariance",
          feature,
          other,
          target: 0,
          held: true,
        });
      }
    }
  }
  const constrained = new Set([...moved, ...held].map((feature) => columns.message.features[feature]?.name));
  for (const feature of [...moved, ...held]) {
    const { kind, n_missing, missing } = columns.message.features[feature] as ColumnMessage;
    if (kind === "share" || n_missing === 0) continue;
    if (missing !== null && constrained.has(missing)) continue;
    terms.push({ key: `rows ${feature}`, kind: "rows", feature, other: -1, target: 0, held: true });
  }
  return terms;
}

function countedRows(base: Float64Array | null): Int32Array | null {
  if (base?.every((weight) => weight > 0) ?? true) return null;
  const all = base as Float64Array;
  return Int32Array.from(Array.from(all.keys()).filter((i) => (all[i] as number) > 0));
}

/** What is taken from a feature's values in a term: the target, so that the term averages 0 where it is met. */
function originOf(columns: Columns, { kind, feature }: Term, targets: ReadonlyMap<number, number>): number {
  const middle = columns.centre[feature] as number;
  // beside a held mean a product has the same mean about any point, but for rows where the moved one is missing
  const still = kind === "covariance" && columns.message.features[feature]?.n_missing === 0;
  return still ? middle : (targets.get(feature) ?? middle);
}

/** Whether a row has a value, less the share of the rows that do. */
function fillPresence(
  column: Float32Array,
  rows: Int32Array | null,
  base: Float64Array | null,
  n: number,
): Float64Array {
  const out = new Float64Array(n);
  let share = 0;
  for (let i = 0; i < n; i++) {
    const here = Number.isNaN(column[rows ? (rows[i] as number) : i] as number) ? 0 : 1;
    out[i] = here;
    share += here * (base ? (base[i] as number) : 1 / n);
  }
  return out.map((here) => here - share);
}

/** Φ - t of one term; a row without a value stands at the target, where it pulls nowhere. */
function fillColumn(
  columns: Columns,
  { kind, feature, other }: Term,
  origin: number,
  rows: Int32Array | null,
  n: number,
): Float64Array {
  const column = columns.column(feature);
  const partner = kind === "covariance" ? columns.column(other) : null;
  const centre = partner ? (columns.centre[other] as number) : 0;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const row = rows ? (rows[i] as number) : i;
    const value = partner
      ? ((column[row] as number) - origin) * ((partner[row] as number) - centre)
      : (column[row] as number) - origin;
    out[i] = Number.isNaN(value) ? 0 : value;
  }
  return out;
}

function divide(column: Float64Array, size: number): Float64Array {
  for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) / size;
  return column;
}

function nameTerm(columns: Columns, { kind, feature, other }: Term): string {
  const name = (k: number) => columns.message.features[k]?.name ?? "";
  if (kind === "mean") return `the mean of ${name(feature)}`;
  if (kind === "rows") return `the share of rows with ${name(feature)}`;
  return `the covariance of ${name(feature)} and ${name(other)}`;
}

/** The base weights of the rows that count, summing to 1. */
function baseOf({ base, message }: Columns, rows: Int32Array | null): Float64Array | null {
  if (base === null) return null;
  const counted = rows ? Float64Array.from(rows, (row) => base[row] as number) : base.slice();
  const total = rows ? counted.reduce((sum, weight) => sum + weight, 0) : message.n_rows;
  return counted.map((weight) => weight / total);
}

/** Why a target that follows from others cannot be had, in words; "" where all agree. */
function contradictionOf(
  columns: Columns,
  terms: readonly Term[],
  { kept, follows }: Dependence,
  standard: Float64Array,
): string {
  for (const [j, slopes] of follows) {
    const term = terms[j] as Term;
    if (term.kind === "rows") continue;
    const parts = slopes.map((slope, l) => slope * (standard[kept[l] as number] as number));
    const implied = parts.reduce((sum, part) => sum + part, 0);
    const size = parts.reduce((sum, part) => sum + Math.abs(part), 1);
    if (Math.abs(implied - (standard[j] as number)) <= CONSISTENT * size) continue;
    const from = Array.from(slopes.keys()).filter((l) => Math.abs(slopes[l] as number) > 1e-6);
    const of = from.map((l) => nameTerm(columns, terms[kept[l] as number] as Term));
    const because = of.length > 0 ? `follows from ${of.join(" and ")}` : "is the same whatever the weights";
    return `${nameTerm(columns, term)} ${because}, and another value is asked for`;
  }
  return "";
}

/** Scales, dependence and correlations of the columns as filled. */
function measureColumns(problem: Problem) {
  const k = problem.columns.length;
  const { mean, covariance } = unstressedMoments(problem);
  const sd = mean.map((_, j) => Math.sqrt(Math.max(covariance[j * k + j] as number, 0)));
  const varies = (j: number) => (sd[j] as number) > 1e-9;
  const scale = sd.map((value, j) => (varies(j) ? value : 1));
  const correlation = covariance.map((value, at) => {
    const [a, b] = [Math.floor(at / k), at % k];
    return varies(a) && varies(b) ? value / ((scale[a] as number) * (scale[b] as number)) : 0;
  });
  const standard = mean.map((value, j) => value / (scale[j] as number));
  return { scale, correlation, standard, dependence: independent(correlation, k, DEPENDENT) };
}

function sameTerms(known: Terms | null, terms: readonly Term[]): known is Terms {
  return (
    known?.complete === true &&
    known.terms.length === terms.length &&
    terms.every(({ key }, j) => key === known.terms[j]?.key)
  );
}

/**
 * Turn a stress into columns and targets.
 *
 * Moved means come first, then held ones, covariances, and the shares of rows without a value. What is held is
 * left out where it follows from what comes before and agrees with it; a target that disagrees is a contradiction.
 *
 * @param moved positions of the moved features; at least one
 * @param free one of them whose mean is left open, though all else is as if it moved; -1 for none
 * @param known terms of another stress on the same columns, whose scales and correlations serve again
 */
export function termsOf(
  columns: Columns,
  stress: Stress,
  moved: readonly number[],
  taus: readonly number[],
  free = -1,
  known: Terms | null = null,
): Terms {
  const rows = known ? known.rows : countedRows(columns.base);
  const base = known ? known.problem.base : baseOf(columns, rows);
  const n = rows?.length ?? columns.message.n_rows;
  const targets = new Map(
    moved.map((feature, m) => [feature, standardTarget(columns, feature, taus[m] as number)] as const),
  );
  const terms = listTerms(columns, targets, stress, free);
  const origins = Float64Array.from(terms, (term) => originOf(columns, term, targets));
  const fill = (term: Term, j: number) =>
    term.kind === "rows"
      ? fillPresence(columns.column(term.feature), rows, base, n)
      : fillColumn(columns, term, origins[j] as number, rows, n);
  if (sameTerms(known, terms)) {
    const { problem, scale } = known;
    const all = terms.map((term, j) =>
      origins[j] === known.origins[j]
        ? (problem.columns[j] as Float64Array)
        : divide(fill(term, j), scale[j] as number),
    );
    return { ...known, terms, origins, problem: { ...problem, columns: all } };
  }
  const all = terms.map(fill);
  const { scale, correlation, standard, dependence } = measureColumns({ n, columns: all, base });
  const { kept } = dependence;
  return {
    terms: kept.map((j) => terms[j] as Term),
    problem: {
      n,
      columns: kept.map((j) => divide(all[j] as Float64Array, scale[j] as number)),
      base,
      covariance: submatrix(correlation, terms.length, kept),
    },
    scale: Float64Array.from(kept, (j) => scale[j] as number),
    origins: Float64Array.from(kept, (j) => origins[j] as number),
    rows,
    complete: kept.length === terms.length,
    contradiction: contradictionOf(columns, terms, dependence, standard),
  };
}
