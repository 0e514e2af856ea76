/** Groups of rows told apart by a column, and what a stress of all rows makes of each. */

import { effectiveSize } from "../../../solve/stress/concentration";
import { createEstimator, type Sample, withOwnTails } from "../../../solve/stress/metrics";
import type { Solved } from "../../../solve/stress/solver";
import type { Columns } from "../../../wire/columns";
import type { ColumnMessage } from "../../../wire/messages";
import { byColumn, groupByColumn } from "../../shared/columns";

/** Groups that have a line of their own; further ones share one. */
const MOST_GROUPS = 8;
const OTHERS = "other levels";
const NEAR = 1e-3;

export type Group = ReturnType<typeof groupOf>;

/** A column whose rows fall in groups. */
export interface GroupColumn {
  readonly name: string;
  /** Disjoint, the largest level first, rows of no level shown last; every row of weight is in one. */
  groups(): readonly Group[];
}

/** What is told of a group, beside its metrics. */
export type GroupNumbers = ReturnType<typeof groupNumbers>;

function groupOf(label: string, within: Uint8Array) {
  return {
    label,
    /** 1 for its rows, else 0. */
    within,
    nRows: within.reduce((sum, one) => sum + one, 0),
  };
}

function mask(values: Float32Array, holds: (value: number) => boolean): Uint8Array {
  const within = new Uint8Array(values.length);
  for (let i = 0; i < within.length; i++) if (holds(values[i] as number)) within[i] = 1;
  return within;
}

/** Rows that count and are in none of some groups. */
function remainder({ message, base }: Columns, groups: readonly Group[]): Uint8Array {
  const left = new Uint8Array(message.n_rows);
  for (let i = 0; i < left.length; i++) {
    const counts = base === null || (base[i] as number) > 0;
    if (counts && !groups.some(({ within }) => within[i] === 1)) left[i] = 1;
  }
  return left;
}

const withRows = (groups: readonly Group[]) => groups.filter(({ nRows }) => nRows > 0);

/** The levels of a category that have been shipped, and the rows that have none of those. */
function groupsOfLevels(columns: Columns, levels: readonly number[]): Group[] {
  const named = (feature: number) => columns.message.features[feature]?.level ?? "";
  const all = levels.map((feature) =>
    groupOf(
      named(feature),
      mask(columns.column(feature), (z) => z > 0),
    ),
  );
  const rest = groupOf("", remainder(columns, all));
  // a line for the others of one group would only hide its name
  const kept = all.length + Number(rest.nRows > 0) > MOST_GROUPS + 1 ? all.slice(0, MOST_GROUPS) : all;
  const label = levels.length === 1 ? `not ${named(levels[0] as number)}` : OTHERS;
  return withRows([...kept, groupOf(label, kept === all ? rest.within : remainder(columns, kept))]);
}

function groupsOfNumbers(columns: Columns, feature: number): Group[] {
  const values = columns.column(feature);
  const { mean } = columns.message.features[feature] as ColumnMessage;
  const made = [
    groupOf(
      "0",
      mask(values, (z) => z < 0),
    ),
    groupOf(
      "1",
      mask(values, (z) => z > 0),
    ),
  ];
  const missing = groupOf("missing", mask(values, Number.isNaN));
  return withRows([...(mean > 0.5 ? made.reverse() : made), missing]);
}

/** Whether every value is 0 or 1; looked at until one is not. */
function isZeroOne({ message, column }: Columns, feature: number): boolean {
  const { integer, kind, mean, sd, low, high } = message.features[feature] as ColumnMessage;
  if (kind === "share" || !integer || low < -NEAR || high > 1 + NEAR) return false;
  return column(feature).every((z) => {
    const value = mean + sd * z;
    return Number.isNaN(z) || Math.abs(value) < NEAR || Math.abs(value - 1) < NEAR;
  });
}

/** The columns that tell rows apart: those of levels, and numbers that are 0 or 1. Nothing where no rows are here. */
export function groupColumns(columns: Columns): GroupColumn[] {
  const { features, shipped } = columns.message;
  if (!shipped) return [];
  const numeric = new Set(features.filter(({ kind }) => kind === "numeric").map(({ column }) => column));
  return byColumn(features, groupByColumn(features)).flatMap((members): GroupColumn[] => {
    const [first = -1] = members;
    const { column, kind } = features[first] as ColumnMessage;
    if (kind === "numeric") {
      const groups = () => groupsOfNumbers(columns, first);
      return isZeroOne(columns, first) ? [{ name: column, groups }] : [];
    }
    // rows without a number are no group of those that have one
    return numeric.has(column) ? [] : [{ name: column, groups: () => groupsOfLevels(columns, members) }];
  });
}

/** What a stress makes of a group. */
export function groupNumbers(sample: Sample, solved: Solved, within: Uint8Array) {
  const own = solved.weights.filter((_, row) => within[row] === 1);
  const sum = own.reduce((all, weight) => all + weight, 0);
  return {
    /** Of all weight, in [0, 1]; NaN where there are no weights. */
    share: sum / solved.weights.length,
    /** Effective size of its rows. */
    ess: sum > 0 ? effectiveSize(own.map((weight) => weight / sum)) : Number.NaN,
    /** Of a metric by its position. */
    estimate: createEstimator({ ...sample, outcomes: withOwnTails(sample.outcomes, within) }, solved, within),
  };
}
