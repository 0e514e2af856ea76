/** Tables of numbers with their intervals, each as far as it can be relied on; and what is said below them. */

// Decided in docs/decisions/0007-tabs-of-the-workspace-share-what-they-show-alike.md.

import { html, reconcile, setText } from "../../marks/element";
import { columnHead, rowHead, tableHead } from "../../marks/table";
import { count, UNDEFINED } from "../../theme/formats";
import type { Gap } from "../../wire/reasons";
import { LEVELS, type Level } from "../../wire/reasons";
import { markLevel, markTrust } from "./reliability";
import { barely, capitalize } from "./words";

/** In a column's head: "(95 %)". */
export function confidenceWords(confidence: number): string {
  return `(${Number((100 * confidence).toPrecision(6))}\u00a0%)`;
}

/** An interval of numbers that may have signs: "−7.9 to −3.3". */
export function rangeWords(lower: string, upper: string): string {
  return lower === UNDEFINED || upper === UNDEFINED ? "no interval" : `${lower} to ${upper}`;
}

/** @param marks what stands before the number */
export function createEstimate(attributes = {}, ...marks: readonly Node[]) {
  const [strong, interval] = [html("b"), html("span", { class: "ts-quiet" })];
  const element = html("td", { class: "ts-number", ...attributes }, ...marks, strong, " ", interval);
  return {
    element,
    show(value: string, range: string) {
      setText(strong, value);
      setText(interval, value === UNDEFINED ? "" : range);
    },
    judge: (level: Level) => markTrust(element, level),
  };
}

/** How far to rely on a number: why not, or else the level alone. */
export function showTrust(element: HTMLElement, level: Level, why: string): void {
  setText(element, why || LEVELS[level]);
  markLevel(element, level);
}

/** Lines of what a person should know of the numbers. */
export function createNotes() {
  const element = html("ul", { class: "ts-quiet ts-said", "data-testid": "notes" });
  return {
    element,
    show(notes: readonly string[]) {
      reconcile(
        element,
        notes.map((note) => html("li", {}, note)),
      );
    },
  };
}

export interface OfGroup {
  readonly ess: number;
  readonly n_rows: number;
}

/** How many rows count in each group. */
export function groupRowsWords(groups: readonly string[], now: readonly OfGroup[]): string {
  const rows = now.map(({ ess, n_rows }, g) => `${groups[g]} ${count(ess)} of ${count(n_rows)}`);
  return `Effective rows: ${rows.join(", ")}.`;
}

/** The same in a line; nothing where all are together. */
export function createGroupRows(by: string, groups: readonly string[]) {
  const element = html("p", { class: "ts-quiet", "data-testid": "group-rows" });
  element.hidden = by === "";
  return {
    element,
    show(now: readonly OfGroup[]) {
      if (by) setText(element, groupRowsWords(groups, now));
    },
  };
}

function createGapLine(groups: readonly string[]) {
  const words = rowHead();
  const cell = createEstimate({ "data-testid": "gap", colspan: 2 });
  return {
    element: html("tr", { class: "ts-gap" }, words, html("td", { class: "ts-was" }), cell),
    update(gap: Gap | null, change: (value: number) => string) {
      setText(words, gap ? `${groups[gap.largest]} − ${groups[gap.smallest]}` : "gap");
      const [lower, upper] = [gap?.lower, gap?.upper].map((end = Number.NaN) => barely(change(end)));
      cell.show(change(gap?.value ?? Number.NaN), rangeWords(lower as string, upper as string));
    },
  };
}

interface Line {
  readonly element: HTMLElement;
}

interface Columns<L extends Line> {
  readonly testid: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly rows: readonly { readonly name: string; readonly label: string }[];
  /** The heads of the first column, where no groups are told apart, and of the last. */
  readonly heads: readonly [string, HTMLElement];
  createLine(head: string, testid: string, row: number): L;
  /** Whether a row has gaps between groups. */
  isGap(row: number): boolean;
}

/** A table of numbers as tested and under the stress: a line for each group of each row, and the gap between them. */
export function createEstimateTable<L extends Line>(
  message: { readonly groups: readonly string[]; readonly by: string; readonly confidence: number },
  columns: Columns<L>,
) {
  const { groups, by, confidence } = message;
  const bodies = columns.rows.map(({ name, label }, j) => {
    const lines = groups.map((group) =>
      columns.createLine(group || capitalize(label), by ? `${name}-${group}` : name, j),
    );
    const gap = groups.length > 1 && columns.isGap(j) ? createGapLine(groups) : null;
    const title = html("tr", {}, html("th", { scope: "rowgroup", colspan: 4 }, capitalize(label)));
    const all = [...(by ? [title] : []), ...[...lines, ...(gap ? [gap] : [])].map((line) => line.element)];
    return { element: html("tbody", {}, ...all), lines, gap };
  });
  const under = columnHead("");
  const [first, last] = columns.heads;
  const head = tableHead(by || first, columnHead("as tested", { class: "ts-was" }), under, last);
  const table = html(
    "table",
    { class: "ts-estimates", "data-testid": columns.testid, ...columns.attributes },
    head,
    ...bodies,
  );
  return {
    element: table,
    bodies,
    update({ now: { moved }, late }: { readonly now: { readonly moved: boolean }; readonly late: boolean }) {
      table.classList.toggle("ts-unmoved", !moved);
      table.classList.toggle("ts-is-stale", late);
      setText(under, `${moved ? "under the stress" : "as tested"} ${confidenceWords(confidence)}`);
    },
  };
}
