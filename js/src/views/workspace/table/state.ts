/** What the table of rows shows, and the way there from the traits. */

import type { RowTableViewTraits } from "../../../wire/messages";
import { type Stress, stressTrait } from "../../../wire/shared_stress";
import { type Display, FILTERS, type RowFilter } from "../../../wire/workspace/table";

export interface State {
  readonly stress: Stress;
  /** Position of the row looked at; −1 for none. */
  readonly row: number;
  readonly selection: readonly number[];
  readonly search: string;
  readonly filter: RowFilter;
  /** Name of a column or a weight; "" for the study's order. */
  readonly sort: string;
  readonly descending: boolean;
  readonly display: Display;
  /** Column across and up in the scatter; "" for the usual one. */
  readonly x: string;
  readonly y: string;
  /** Column that is across where none was chosen; "" for the first. */
  readonly feature: string;
  /** First row of the window that the kernel sends. */
  readonly start: number;
}

export const CHOICES = [
  "stress",
  "row",
  "selection",
  "search",
  "filter",
  "sort",
  "descending",
  "start",
  "display",
  "x",
  "y",
  "feature",
] as const;

export function stateFromTraits(traits: Pick<RowTableViewTraits, (typeof CHOICES)[number]>): State {
  const { stress, filter } = traits;
  return {
    stress: stressTrait(stress),
    row: traits.row ?? -1,
    selection: traits.selection ?? [],
    search: traits.search ?? "",
    filter: (FILTERS as readonly string[]).includes(filter) ? (filter as RowFilter) : "all",
    sort: traits.sort ?? "",
    descending: traits.descending ?? false,
    start: traits.start ?? 0,
    display: traits.display === "scatter" ? "scatter" : "table",
    x: traits.x ?? "",
    y: traits.y ?? "",
    feature: traits.feature ?? "",
  };
}

const QUERY = ["search", "filter", "sort", "descending"] as const;

/** Another query is looked at from its first row on. */
export function changed(state: State, change: Partial<State>): State {
  const next = { ...state, ...change };
  return QUERY.some((name) => next[name] !== state[name]) ? { ...next, start: 0 } : next;
}

/** Whether two states ask for the same rows in the same order, chosen ones aside. */
export function sameQuery(a: Pick<State, (typeof QUERY)[number]>, b: typeof a): boolean {
  return QUERY.every((name) => a[name] === b[name]);
}
