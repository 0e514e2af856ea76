/** Where each row stands in the scatter: two columns as shares of the plot, levels as bands with their rows spread. */

import { axis, axisTicks, finiteExtent, niceDomain } from "../../../marks/axis";
import type { TableData } from "../../../wire/workspace/table";
import { entryWords } from "../../shared/entries";
import { columnsShown } from "./cells";
import { valueAt } from "./find";

/** Points drawn; of more rows a sample is. */
export const MOST_POINTS = 5000;
/** Part of a band that its rows are spread over. */
const SPREAD = 0.7;
const SEED = 0x9e3779b9;
const TICKS = 5;

/** A column along one side of the plot. */
export interface Side {
  readonly name: string;
  readonly label: string;
  /** Share of the side from its start by row; NaN for a row without a value. */
  readonly at: Float32Array;
  /** Names of levels in their bands; empty for numbers. */
  readonly levels: readonly string[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  /** What lies between two shares of the side, in words. */
  between(from: number, to: number): string;
}

/** A number by row that is the same in every view and on every machine. */
export function hashOf(row: number, salt = 0): number {
  let h = Math.imul(row + 1, SEED) ^ Math.imul(salt + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/** The rows drawn: all, or a sample that stays the same as long as its rows are listed. */
export function sampleOf(rows: Uint32Array, most = MOST_POINTS): Uint32Array {
  if (rows.length <= most) return rows;
  const ranks = Uint32Array.from(rows, (row) => hashOf(row)).sort();
  const last = ranks[most - 1] as number;
  return rows.filter((row) => hashOf(row) <= last).subarray(0, most);
}

/** The columns that can stand along a side, by name: those of the table but the row's own number. */
export function sidesOffered({ message }: TableData): { readonly name: string; readonly label: string }[] {
  return columnsShown(message)
    .filter(({ name, role }) => name !== "" && (role !== "before" || message.weighted))
    .map(({ name, label, role }) => ({ name, label: role === "after" ? message.after_name : label }));
}

/** What stands along the sides where nothing was chosen: the feature, and the score or how far it is off. */
export function usualSides({ message: { columns } }: TableData, feature: string): readonly [string, string] {
  const features = columns.filter(({ role }) => role === "feature");
  const first = features.find(({ name }) => name === feature) ?? features[0] ?? columns[0];
  const answer = ["error", "score", "predicted"]
    .map((role) => columns.find((column) => column.role === role))
    .find((column) => column !== undefined);
  const x = first?.name ?? "";
  return [x, answer?.name ?? features[1]?.name ?? x];
}

function levelSide(
  name: string,
  label: string,
  codes: Float64Array,
  levels: readonly string[],
  salt: number,
): Side {
  const n = Math.max(1, levels.length);
  const spread = (row: number) => SPREAD * (hashOf(row, salt) / 2 ** 32 - 0.5);
  return {
    name,
    label,
    levels,
    at: Float32Array.from(codes, (code, row) => (code + 0.5 + spread(row)) / n),
    ticks: levels.map((level, k) => ({ at: (k + 0.5) / n, label: level })),
    between(from, to) {
      const half = SPREAD / 2;
      const within = levels.filter((_, k) => (k + 0.5 + half) / n > from && (k + 0.5 - half) / n < to);
      if (within.length === 0) return `no level of ${label}`;
      if (within.length <= 3) return `${label} ${within.join(", ")}`;
      return `${label} ${within[0]} … ${within.at(-1)} (${within.length} levels)`;
    },
  };
}

function numberSide(
  name: string,
  label: string,
  values: Float64Array,
  share: boolean,
  words: (value: number) => string,
  tickWords: ((value: number) => string) | null,
): Side {
  const kind = share ? "share" : "value";
  const scale = axis(niceDomain(finiteExtent([values]), kind, TICKS), [0, 1]);
  const step = (scale.domain[1] - scale.domain[0]) / 1000;
  const round = (value: number) =>
    step > 0
      ? Number(value.toPrecision(Math.max(3, Math.ceil(Math.log10(Math.abs(value) / step + 1)))))
      : value;
  const ticks = axisTicks(scale, TICKS, kind);
  return {
    name,
    label,
    levels: [],
    at: Float32Array.from(values, scale.at),
    ticks: tickWords ? ticks.map(({ at }) => ({ at, label: tickWords(scale.value(at)) })) : ticks,
    between: (from, to) => `${label} ${words(round(scale.value(from)))} to ${words(round(scale.value(to)))}`,
  };
}

/** @param after weights under the stress, for the side of that name */
export function sideOf(data: TableData, name: string, after: Float32Array | null, salt: number): Side {
  const { message, columns, before } = data;
  const weight = name === message.weight_name ? before : name === message.after_name ? after : null;
  if (name === message.weight_name || name === message.after_name) {
    const values = weight ? Float64Array.from(weight) : new Float64Array(message.n_rows).fill(1);
    return numberSide(name, name, values, false, (value) => String(Number(value.toPrecision(3))), null);
  }
  const k = message.columns.findIndex((column) => column.name === name);
  const [about, raw] = [message.columns[k], columns?.[k]];
  if (!about || !raw) throw new RangeError(`no column ${JSON.stringify(name)}`);
  const values = Float64Array.from(raw, (_, row) => valueAt(about, raw, row));
  if (about.kind === "levels") return levelSide(name, about.label, values, about.levels, salt);
  const share = about.role === "score" && message.score_kind === "share";
  const percent = (value: number) => `${Number((100 * value).toPrecision(3))} %`;
  const words = share
    ? percent
    : about.kind === "date"
      ? (value: number) => entryWords(about, Math.round(value))
      : (value: number) => entryWords(about, value);
  return numberSide(name, about.label, values, share, words, about.kind === "date" ? words : null);
}

/** A rectangle as shares of the plot, from the lower left; its corners in order. */
export interface Rectangle {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

export function rectangleOf(a: readonly [number, number], b: readonly [number, number]): Rectangle {
  const ends = (p: number, q: number): [number, number] => {
    const [low, high] = [Math.min(p, q), Math.max(p, q)];
    return [Math.max(0, low), Math.min(1, high)];
  };
  return { x: ends(a[0], b[0]), y: ends(a[1], b[1]) };
}

/** All rows within a rectangle, ascending, whether drawn or not. */
export function rowsWithin(
  rows: ArrayLike<number>,
  [across, up]: readonly [Side, Side],
  { x, y }: Rectangle,
): number[] {
  const found: number[] = [];
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    const [a, b] = [across.at[row] as number, up.at[row] as number];
    if (a >= x[0] && a <= x[1] && b >= y[0] && b <= y[1]) found.push(row);
  }
  return found.sort((a, b) => a - b);
}

const FIRST: Rectangle = { x: [0.4, 0.6], y: [0.4, 0.6] };
const SMALLEST = 0.02;

/** A rectangle after an arrow key: moved as a whole, or its upper right corner alone; the first in the middle. */
export function stepped(
  rectangle: Rectangle | null,
  key: string,
  extend: boolean,
  step: number,
): Rectangle | null {
  const signs: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowDown: [0, -1],
    ArrowUp: [0, 1],
  };
  const sign = signs[key];
  if (!sign) return null;
  if (!rectangle) return FIRST;
  const move = ([low, high]: readonly [number, number], by: number): [number, number] => {
    if (extend) return [low, Math.min(1, Math.max(low + SMALLEST, high + by))];
    const shift = Math.min(1 - high, Math.max(-low, by));
    return [low + shift, high + shift];
  };
  return { x: move(rectangle.x, step * sign[0]), y: move(rectangle.y, step * sign[1]) };
}

/** The drawn row nearest to a point, both in pixels; −1 where none is near. */
export function nearestRow(
  rows: ArrayLike<number>,
  [across, up]: readonly [Side, Side],
  point: readonly [number, number],
  size: readonly [number, number],
  near: number,
): number {
  let [best, distance] = [-1, near * near];
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number;
    const dx = ((across.at[row] as number) - point[0]) * size[0];
    const dy = ((up.at[row] as number) - point[1]) * size[1];
    const d = dx * dx + dy * dy;
    if (d <= distance) [best, distance] = [row, d];
  }
  return best;
}
