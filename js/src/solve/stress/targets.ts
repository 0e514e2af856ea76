/** Where a stress leads, and how far other rows of the same population would put its targets elsewhere. */

import type { Columns } from "../../wire/columns";
import type { ColumnMessage } from "../../wire/messages";
import { type Stress, tauOf } from "../../wire/shared_stress";
import type { TauEnds } from "../../wire/stress/joint";
import { bisectLeft } from "../bisect";
import { effectiveRows } from "./estimates";
import { dot } from "./newton";
import { observedShare } from "./ranges";
import { secondMoments } from "./row_sums";
import { standardTarget, type Term, type Terms } from "./terms";

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
function countBeyond(columns: Columns, feature: number, target: number, upwards: boolean): number {
  const { values, all } = inOrder(columns, feature);
  return upwards
    ? effective([all, bisectLeft(values, target - TIED), values.length])
    : effective([all, 0, bisectLeft(values, target + TIED)]);
}

/**
 * Rows whose product of a moved feature, about its target, and a held one, about its mean, is 0 or beyond, seen from
 * the mean that the products have; ∞ where that is 0.
 */
function countProductsBeyond(columns: Columns, feature: number, target: number, other: number): number {
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

/** What rows add to targets, before it is scaled: their values, their places past an end of τ, whether they have one. */
type Part = "value" | "below" | "to_low" | "above" | "from_high" | "present";
type Load = readonly [part: Part, feature: number, factor: number];

interface Kept {
  readonly key: string;
  readonly covariance: Float64Array;
}

/** Of the last stress; the next one along a slider has the same parts. */
const latest = new WeakMap<Columns, Kept>();

const rowOf = ({ rows }: Terms, i: number) => (rows ? (rows[i] as number) : i);

function readPart({ message }: Columns, part: Part, feature: number): (z: number) => number {
  const { mean, sd, low, high } = message.features[feature] as ColumnMessage;
  const end = Math.fround(((part === "below" || part === "to_low" ? low : high) - mean) / sd);
  switch (part) {
    case "value":
      return (z) => z;
    case "below":
      return (z) => (z < end ? 1 : 0);
    case "to_low":
      return (z) => (z <= end ? 1 : 0);
    case "above":
      return (z) => (z > end ? 1 : 0);
    case "from_high":
      return (z) => (z >= end ? 1 : 0);
    case "present":
      return () => 1;
  }
}

/** One part of every row, less its mean over the rows with a value, where it is 0; presence less its share. */
function fillPart(columns: Columns, terms: Terms, part: Part, feature: number): Float64Array {
  const { n, base } = terms.problem;
  const column = columns.column(feature);
  const read = readPart(columns, part, feature);
  const out = new Float64Array(n);
  let [total, size] = [0, 0];
  for (let i = 0; i < n; i++) {
    const z = column[rowOf(terms, i)] as number;
    const missing = Number.isNaN(z);
    const weight = base ? (base[i] as number) : 1 / n;
    out[i] = missing ? Number.NaN : read(z);
    total += missing ? 0 : weight * (out[i] as number);
    size += missing ? 0 : weight;
  }
  if (part === "present") return out.map((here) => (here || 0) - size);
  return out.map((value) => (Number.isNaN(value) ? 0 : value - total / size));
}

/** Σ v² p pᵀ of parts p, v the rows' own shares of the weight. */
function partCovariance(columns: Columns, terms: Terms, parts: readonly string[]): Float64Array {
  const key = parts.join();
  const known = latest.get(columns);
  if (known?.key === key) return known.covariance;
  const { n, base } = terms.problem;
  const filled = parts.map((name) => {
    const [part, feature] = name.split(" ") as [Part, string];
    return fillPart(columns, terms, part, Number(feature));
  });
  const squares = Float64Array.from({ length: n }, (_, i) => (base ? (base[i] as number) ** 2 : 1 / n ** 2));
  const covariance = secondMoments(filled, squares);
  latest.set(columns, { key, covariance });
  return covariance;
}

const endOf = (ends: TauEnds, feature: number, tau: number) =>
  (ends[feature] as TauEnds[number])[tau > 0 ? "high" : "low"];

/** What a row adds to the target of one term, in the column's unit. */
function loadsOf(columns: Columns, stress: Stress, ends: TauEnds, terms: Terms, j: number): readonly Load[] {
  const { kind, feature, other, held } = terms.terms[j] as Term;
  const { name, sd } = columns.message.features[feature] as ColumnMessage;
  const tau = tauOf(stress, name);
  const unit = 1 / (terms.scale[j] as number);
  if (kind === "rows") return [["present", feature, unit]];
  if (kind === "covariance") {
    // the product about the target keeps its mean; about another point it follows the other one's
    const off = standardTarget(columns, feature, tau) - (terms.origins[j] as number);
    return [["value", other, off * unit]];
  }
  if (held) return [["value", feature, unit]];
  const { slope, follows, with_heap } = endOf(ends, feature, tau);
  const [up, down] = with_heap ? (["from_high", "to_low"] as const) : (["above", "below"] as const);
  return [
    ["value", feature, (1 - Math.abs(tau) * (1 - follows)) * unit],
    [tau > 0 ? up : down, feature, ((tau * slope) / sd) * unit],
  ];
}

function targetCovariance(columns: Columns, stress: Stress, ends: TauEnds, terms: Terms): Float64Array {
  const k = terms.terms.length;
  const nameOf = ([part, feature]: Load) => `${part} ${feature}`;
  const loads = terms.terms.map((_, j) => loadsOf(columns, stress, ends, terms, j));
  const parts = [...new Set(loads.flat().map(nameOf))];
  const loading = new Float64Array(k * parts.length);
  loads.forEach((own, j) => {
    for (const load of own) loading[j * parts.length + parts.indexOf(nameOf(load))] = load[2];
  });
  return congruent(loading, partCovariance(columns, terms, parts), k, parts.length);
}

/** L C Lᵀ of L, k × m. */
function congruent(left: Float64Array, middle: Float64Array, k: number, m: number): Float64Array {
  const row = (j: number) => left.subarray(j * m, (j + 1) * m);
  const out = new Float64Array(k * k);
  for (let a = 0; a < k; a++) {
    const product = Float64Array.from({ length: m }, (_, p) =>
      dot(row(a), middle.subarray(p * m, (p + 1) * m)),
    );
    for (let b = 0; b < k; b++) out[a * k + b] = dot(product, row(b));
  }
  return out;
}

/** Where a solved stress leads. */
export function targetsOf(columns: Columns, stress: Stress, ends: TauEnds, terms: Terms) {
  const tau = (feature: number) => tauOf(stress, columns.message.features[feature]?.name ?? "");
  const target = (feature: number) => standardTarget(columns, feature, tau(feature));
  const moved = Object.keys(stress.taus).map((name) => columns.place.get(name) as number);
  const products = terms.terms.filter(({ kind }) => kind === "covariance");
  return {
    /** Covariance of the targets of the terms, in the columns' units, k × k. */
    covariance: targetCovariance(columns, stress, ends, terms),
    /** Rows at or beyond the target in the direction of the move, the fewest of several; ∞ where nothing moves. */
    nBeyond: Math.min(
      ...moved.map((feature) => countBeyond(columns, feature, target(feature), tau(feature) > 0)),
      ...products.map(({ feature, other }) => countProductsBeyond(columns, feature, target(feature), other)),
    ),
    inDoubt: moved.some((feature) => Math.abs(tau(feature)) >= endOf(ends, feature, tau(feature)).doubt_from),
    /** Share of the weight that has a value of what is moved, the largest of several features. */
    movedShare: Math.max(...moved.map((feature) => observedShare(columns, feature, stress))),
  };
}
