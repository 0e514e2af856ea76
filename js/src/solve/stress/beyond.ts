/** How many rows lie at a target or beyond it, looked up among rows in order; of weighted rows the effective ones. */

import type { Columns } from "../../wire/columns";
import { bisectLeft } from "../bisect";
import { effectiveRows } from "./estimates";

/** Distance of a row from a target that counts as at it, standard deviations; the rounding of float32. */
const TIED = 1e-6;

/** Σ v and Σ v² over those of the first i rows that are counted, v = 1 where rows are not weighted. */
interface Tally {
  readonly mass: Float64Array;
  readonly squares: Float64Array;
}

/** The rows that have weight and a value, ascending. */
interface Ascending {
  readonly values: Float64Array;
  readonly rows: Uint32Array;
  readonly all: Tally;
  /** By the position of another feature. */
  readonly products: Map<number, Products>;
}

/** Products of a feature's distance from any target with another's distance from its mean. */
interface Products {
  /** Of the rows with the other at its mean or above, and at it or below. */
  readonly up: Tally;
  readonly down: Tally;
  /** Weighted sums over the rows with both values: of the products about 0, and of the other's distance. */
  readonly moment: number;
  readonly drift: number;
}

function tally({ base }: Columns, rows: Uint32Array, counted: (row: number) => boolean): Tally {
  const mass = new Float64Array(rows.length + 1);
  const squares = base ? new Float64Array(rows.length + 1) : mass;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const weight = counted(row) ? (base?.[row] ?? 1) : 0;
    mass[i + 1] = (mass[i] as number) + weight;
    if (base) squares[i + 1] = (squares[i] as number) + weight * weight;
  }
  return { mass, squares };
}

/** Effective rows, (Σ v)² / Σ v², of those from one place up to another; several stretches together. */
function effective(...stretches: readonly (readonly [Tally, from: number, to: number])[]): number {
  const total = (name: keyof Tally) =>
    stretches.reduce(
      (sum, [one, from, to]) => sum + (one[name][to] as number) - (one[name][from] as number),
      0,
    );
  return effectiveRows(total("mass"), total("squares"));
}

const kept = new WeakMap<Columns, Map<number, Ascending>>();

function inOrder(columns: Columns, feature: number): Ascending {
  const known = kept.get(columns) ?? new Map<number, Ascending>();
  kept.set(columns, known);
  const found = known.get(feature);
  if (found) return found;
  const column = columns.column(feature);
  const counted = (i: number) => !Number.isNaN(column[i]) && (columns.base?.[i] ?? 1) > 0;
  const rows = Uint32Array.from(Array.from(column.keys()).filter(counted));
  rows.sort((a, b) => (column[a] as number) - (column[b] as number));
  const values = Float64Array.from(rows, (row) => column[row] as number);
  const made = { values, rows, all: tally(columns, rows, () => true), products: new Map() };
  known.set(feature, made);
  return made;
}

function productsOf(columns: Columns, { values, rows, products }: Ascending, other: number): Products {
  const found = products.get(other);
  if (found) return found;
  const [column, middle] = [columns.column(other), columns.centre[other] as number];
  const off = (row: number) => (column[row] as number) - middle;
  let [moment, drift] = [0, 0];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const weighted = (off(row) || 0) * (columns.base?.[row] ?? 1);
    moment += weighted * (values[i] as number);
    drift += weighted;
  }
  const up = tally(columns, rows, (row) => off(row) >= -TIED);
  const down = tally(columns, rows, (row) => off(row) <= TIED);
  const made = { up, down, moment, drift };
  products.set(other, made);
  return made;
}

/** Rows with a feature at a target or beyond, upwards or downwards. */
export function countBeyond(columns: Columns, feature: number, target: number, upwards: boolean): number {
  const { values, all } = inOrder(columns, feature);
  return upwards
    ? effective([all, bisectLeft(values, target - TIED), values.length])
    : effective([all, 0, bisectLeft(values, target + TIED)]);
}

/**
 * Rows whose product of a moved feature, about its target, and a held one, about its mean, is 0 or beyond, seen from
 * the mean that the products have; ∞ where that is 0.
 */
export function countProductsBeyond(
  columns: Columns,
  feature: number,
  target: number,
  other: number,
): number {
  const ascending = inOrder(columns, feature);
  const { up, down, moment, drift } = productsOf(columns, ascending, other);
  const { values } = ascending;
  const mean = (moment - target * drift) / values.length;
  if (Math.abs(mean) <= TIED) return Infinity;
  const [from, to] = [bisectLeft(values, target - TIED), bisectLeft(values, target + TIED)];
  // an increasing product counts rows above both or below both
  const [above, below] = mean < 0 ? [up, down] : [down, up];
  return effective([above, from, values.length], [below, 0, to]);
}
