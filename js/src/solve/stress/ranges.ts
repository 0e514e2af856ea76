/** How far a feature can still be moved while the rest of a stress stays as it is. */

import type { Columns } from "../../wire/columns";
import type { ColumnMessage } from "../../wire/messages";
import { type Stress, tauOf } from "../../wire/shared_stress";
import { largest, type Problem } from "./dual";
import { cutFace, directionAtBound } from "./projection";
import { feasible, highest } from "./simplex";
import { standardTarget, termsOf } from "./terms";

/** τ from `low` to `high`; null where the rest cannot be met whatever the feature does, or it cannot be told. */
export type FeasibleRange =
  | { readonly kind: "range"; readonly low: number; readonly high: number }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

const NONE: FeasibleRange = { kind: "none" };
const UNKNOWN: FeasibleRange = { kind: "unknown" };

/** τ that a standardised mean stands for, kept within [-1, 1]. */
function tauAt(columns: Columns, feature: number, z: number): number {
  const centre = columns.centre[feature] as number;
  const end = standardTarget(columns, feature, z < centre ? -1 : 1);
  const tau = Math.min(1, (z - centre) / (end - centre));
  return z < centre ? -tau : tau;
}

/** Share of the weight of the rows that have a value of the feature, under the rest of the stress. */
export function observedShare(columns: Columns, feature: number, stress: Stress): number {
  const { n_missing, missing } = columns.message.features[feature] as ColumnMessage;
  if (n_missing === 0) return 1;
  const at = missing === null ? undefined : columns.place.get(missing);
  if (missing !== null && at !== undefined) {
    const { mean, sd } = columns.message.features[at] as ColumnMessage;
    const z = standardTarget(columns, at, tauOf(stress, missing)) - (columns.centre[at] as number);
    return 1 - (mean + sd * z);
  }
  const z = columns.column(feature);
  let [here, all] = [0, 0];
  for (let i = 0; i < z.length; i++) {
    const w = columns.base ? (columns.base[i] as number) : 1;
    if (!Number.isNaN(z[i])) here += w;
    all += w;
  }
  return here / all;
}

/** The rows that the rest of the stress leaves any weight where it is at the extreme of a column. */
function cutToFaces(start: Problem, values: Float64Array): { problem: Problem; values: Float64Array } | null {
  let problem = start;
  let left = values;
  for (;;) {
    const touched = problem.columns.length > 0 ? directionAtBound(problem) : null;
    if (touched === null) return { problem, values: left };
    const cut = touched === "outside" ? null : cutFace(problem, touched);
    if (cut === null) return null;
    left = Float64Array.from(cut.rows, (row) => left[row] as number);
    problem = cut.problem;
  }
}

/**
 * Range of τ of one feature over all weights that meet the rest of the stress; the ends only as limits.
 *
 * A linear program over the weights: the largest and smallest mean of the feature given the other means.
 */
export function feasibleRange(columns: Columns, stress: Stress, feature: number): FeasibleRange {
  const { message, place } = columns;
  const about = message.features[feature] as ColumnMessage;
  // the product of deviations is linear in the mean only where every row has a value
  if (stress.hold === "uncorrelated" && about.n_missing > 0 && about.kind === "numeric") return UNKNOWN;
  const others = Object.keys(stress.taus).filter((name) => name !== about.name);
  if (others.some((name) => !place.has(name))) return UNKNOWN;
  const moved = [feature, ...others.map((name) => place.get(name) as number)].sort((a, b) => a - b);
  const taus = moved.map((k) => tauOf(stress, message.features[k]?.name ?? ""));
  const terms = termsOf(columns, stress, moved, taus, feature);
  if (terms.contradiction) return NONE;
  const column = columns.column(feature);
  const values = Float64Array.from({ length: terms.problem.n }, (_, i) => {
    const value = column[terms.rows ? (terms.rows[i] as number) : i] as number;
    return Number.isNaN(value) ? 0 : value;
  });
  const left = cutToFaces(terms.problem, values);
  if (left === null) return NONE;
  const { problem } = left;
  const negative = left.values.map((value) => -value);
  let [low, high] = [-largest(negative), largest(left.values)];
  if (problem.columns.length > 0) {
    const equations = [new Float64Array(problem.n).fill(1), ...problem.columns];
    const start = feasible(equations, [1, ...problem.columns.map(() => 0)]);
    if (start === null) return UNKNOWN;
    if (start.kind === "none") return NONE;
    const top = highest(start.vertex, left.values);
    const bottom = top === null ? null : highest(start.vertex, negative);
    if (top === null || bottom === null) return UNKNOWN;
    [low, high] = [-bottom, top];
  }
  const observed = observedShare(columns, feature, stress);
  const [from, to] = [tauAt(columns, feature, low / observed), tauAt(columns, feature, high / observed)];
  return { kind: "range", low: Math.max(-1, from), high: Math.min(1, to) };
}
