/** The rows that a scatter can draw, by their place among them: all in the page, or those that the kernel has drawn. */

import type { Sampled, TableData } from "../../../wire/workspace/table";
import { remember } from "../../shared/memoize";
import type { DerivedView } from "./derive_view";
import { sampleOf } from "./scatter_points";

export interface Drawable {
  /** Of these rows alone. */
  readonly data: TableData;
  /** Weights under the stress; null without one. */
  readonly after: Float32Array | null;
  /** Places of the rows listed, those among which a rectangle selects; and of the rows drawn. */
  readonly among: Uint32Array;
  readonly drawn: Uint32Array;
  /** Places of the rows selected. */
  readonly chosen: ReadonlySet<number>;
  /** Rows listed, here or not. */
  readonly nListed: number;
  /** By which the kernel has drawn; null where all rows are here. */
  readonly seed: number | null;
  /** Position in the study. */
  rowAt(place: number): number;
  /** −1 for a row that is not here. */
  placeOf(row: number): number;
}

/** @returns null while the rows are on their way */
export type DrawableOf = (view: DerivedView, sample: Sampled | null) => Drawable | null;

/** Whether two samples are of the same rows, whatever these weigh. */
export function sameRows(a: Sampled, b: Sampled): boolean {
  return a.rows.length === b.rows.length && a.rows.every((row, k) => row === b.rows[k]);
}

function inThePage(data: TableData): DrawableOf {
  const drawnOf = remember((order: Uint32Array) => sampleOf(order));
  return ({ listing, stress, chosen }) => {
    const order = listing?.order;
    if (!order) return null;
    return {
      ...{ data, chosen, among: order, drawn: drawnOf(order), nListed: order.length, seed: null },
      after: stress.now?.weights ?? null,
      rowAt: (place) => place,
      placeOf: (row) => row,
    };
  };
}

function byTheKernel({ message }: TableData): DrawableOf {
  const read = remember((sample: Sampled) => {
    const { rows, columns, before } = sample;
    const data: TableData = {
      message: { ...message, n_rows: rows.length },
      columns,
      before: message.weighted ? before : null,
    };
    const places = new Map(Array.from(rows, (row, place) => [row, place]));
    return { data, places, all: Uint32Array.from(rows.keys()) };
  });
  const chosenOf = remember((places: ReadonlyMap<number, number>, chosen: ReadonlySet<number>) => {
    const found = [...places].filter(([row]) => chosen.has(row));
    return new Set(found.map(([, place]) => place));
  });
  return ({ chosen }, sample) => {
    if (!sample) return null;
    const { data, places, all } = read(sample);
    return {
      ...{ data, after: sample.after, among: all, drawn: all, nListed: sample.n, seed: sample.seed },
      chosen: chosenOf(places, chosen),
      rowAt: (place) => sample.rows[place] as number,
      placeOf: (row) => places.get(row) ?? -1,
    };
  };
}

export function createDrawable(data: TableData): DrawableOf {
  return data.columns ? inThePage(data) : byTheKernel(data);
}
