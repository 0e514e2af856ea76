/** Which rows are looked for, in which order, on the columns that came along: the rule of the kernel. */

import type { Numbers } from "../../../wire/buffers";
import type { RowColumnMessage, RowGroupMessage } from "../../../wire/messages";
import type { TableData } from "../../../wire/workspace/table";
import type { State } from "./state";

export type Query = Pick<State, "search" | "filter" | "sort" | "descending">;

const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const ROW = /^#?\d+$/;
const OWN_ROW = /^#\d+$/;
const DAY = 86_400_000;

/** Codes that stand for no level, by the bytes of one. */
const MISSING: Readonly<Record<string, number>> = { u1: 0xff, u2: 0xffff, u4: 0xffffffff };

/** A value of a column, NaN where there is none. */
export function valueAt({ type }: RowColumnMessage, values: Numbers, at: number): number {
  const value = values[at] as number;
  return value === MISSING[type] ? Number.NaN : value;
}

export function columnOf({ message, columns }: TableData, role: RowColumnMessage["role"]) {
  const place = message.columns.findIndex((column) => column.role === role);
  const [about, values] = [message.columns[place], columns?.[place]];
  return about && values ? { about, values } : null;
}

/** Which rows are misclassified; null where nothing is labelled, and of a regression. */
export function errorsOf(data: TableData): Uint8Array | null {
  const [truth, predicted] = [columnOf(data, "truth"), columnOf(data, "predicted")];
  if (!truth || !predicted || truth.about.kind !== "levels") return null;
  return Uint8Array.from(truth.values, (code, row) => Number(code !== predicted.values[row]));
}

type Test = (row: number) => boolean;

function iso(days: number): string {
  return Number.isNaN(days) ? "" : new Date(Math.floor(days) * DAY).toISOString().slice(0, 10);
}

/** Whether a column holds a text: in a level's name, as the beginning of a date, or as a number. */
function holds(about: RowColumnMessage, values: Numbers, text: string, number: number | null): Test | null {
  if (about.kind === "levels") {
    const names = about.levels.map((level) => level.toLowerCase());
    const fits = names.map((name) => (number === null ? name.includes(text) : name === text));
    return fits.includes(true) ? (row) => fits[values[row] as number] === true : null;
  }
  if (about.kind === "date") {
    return /^[\d-]+$/.test(text) ? (row) => iso(values[row] as number).startsWith(text) : null;
  }
  if (number === null) return null;
  const sought = about.type === "f4" ? Math.fround(number) : number;
  return (row) => values[row] === sought;
}

function searchTest({ message, columns }: TableData, search: string): Test {
  const text = search.trim().toLowerCase();
  if (text === "") return () => true;
  const own = ROW.test(text) ? Number(text.replace("#", "")) : -1;
  if (OWN_ROW.test(text)) return (row) => row === own;
  const plain = text.replaceAll("−", "-").replaceAll(",", "");
  const number = NUMBER.test(plain) ? Number(plain) : null;
  const tests = message.columns
    .map((about, k) => holds(about, columns?.[k] as Numbers, text, number))
    .filter((test) => test !== null);
  return (row) => row === own || tests.some((test) => test(row));
}

function filterTest(
  data: TableData,
  filter: Query["filter"],
  chosen: ReadonlySet<number>,
  errors: Uint8Array | null,
): Test {
  const { threshold, near } = data.message;
  if (filter === "selected" || filter === "inside") return (row) => chosen.has(row);
  if (filter === "errors") return (row) => errors?.[row] === 1;
  if (filter === "all") return () => true;
  const score = columnOf(data, "score")?.values;
  if (!score || threshold === null || near === null) return () => false;
  return (row) => Math.abs((score[row] as number) - threshold) <= near;
}

function sortKey({ message, columns, before }: TableData, sort: string, after: Float32Array | null) {
  if (sort === message.weight_name) return before;
  if (sort === message.after_name) return after;
  const place = message.columns.findIndex(({ name }) => name === sort);
  const [about, values] = [message.columns[place], columns?.[place]];
  return about && values ? Float64Array.from(values, (_, row) => valueAt(about, values, row)) : null;
}

/** Positions of the rows looked for, in the order wanted; missing values come last. */
export function findRows(
  data: TableData,
  { search, filter, sort, descending }: Query,
  chosen: ReadonlySet<number>,
  after: Float32Array | null,
  errors: Uint8Array | null = errorsOf(data),
): Uint32Array {
  const [isKept, isHeld] = [filterTest(data, filter, chosen, errors), searchTest(data, search)];
  const found = new Uint32Array(data.message.n_rows);
  let n = 0;
  for (let row = 0; row < found.length; row++) if (isKept(row) && isHeld(row)) found[n++] = row;
  const order = found.subarray(0, n);
  const key = sortKey(data, sort, after);
  if (!key) return descending ? order.reverse() : order;
  const sign = descending ? -1 : 1;
  return order.sort((a, b) => {
    const [x, y] = [key[a] as number, key[b] as number];
    if (x === y) return a - b;
    if (Number.isNaN(x)) return Number.isNaN(y) ? a - b : 1;
    if (Number.isNaN(y)) return -1;
    return sign * (x - y);
  });
}

/** Weigh some rows, as tested and under the stress. */
export function groupOf(
  { message: { n_rows }, before }: TableData,
  rows: ArrayLike<number>,
  after: Float32Array | null,
  errors: Uint8Array | null,
): RowGroupMessage {
  const weigh = (weight: Float32Array | null) => {
    let [total, wrong] = [0, 0];
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k] as number;
      const w = weight ? (weight[row] as number) : 1;
      total += w;
      if (errors?.[row]) wrong += w;
    }
    // weights have mean 1
    return { share: n_rows > 0 ? total / n_rows : 0, errors: errors && total > 0 ? wrong / total : null };
  };
  const [now, then] = [weigh(before), after ? weigh(after) : null];
  return {
    n: rows.length,
    share: now.share,
    share_after: then?.share ?? null,
    errors: now.errors,
    errors_after: then?.errors ?? null,
  };
}
