/** Heads and rows of tables, and what a table scrolls in that is wider than its place. */

import { type Attributes, type Child, html, setAttributes } from "./element";

export function columnHead(words: Child, attributes: Attributes = {}): HTMLElement {
  return html("th", { scope: "col", ...attributes }, words);
}

export function rowHead(...content: Child[]): HTMLElement {
  return html("th", { scope: "row" }, ...content);
}

/** A table's first line; words become the heads of columns. */
export function tableHead(...heads: Child[]): HTMLElement {
  const cells = heads.map((head) => (typeof head === "string" ? columnHead(head) : head));
  return html("thead", {}, html("tr", {}, ...cells));
}

/** The number of the row that an event is in; NaN where it is in none. */
export function rowAt({ target }: Event): number {
  return Number((target as Element).closest("tr")?.dataset.row);
}

/** Mark a row as the one shown. */
export function markShown(row: Element, shown: boolean): void {
  row.classList.toggle("ts-is-chosen", shown);
  setAttributes(row, { "aria-current": shown && "true" });
}

export function tableHolder(name: string, ...content: Child[]): HTMLElement {
  const named = { class: "ts-table-holder", tabindex: 0, role: "group", "aria-label": name };
  return html("div", named, ...content);
}
