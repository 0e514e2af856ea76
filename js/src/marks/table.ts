/** Heads of tables, and what a table scrolls in that is wider than its place. */

import { type Attributes, type Child, html } from "./element";

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

export function tableHolder(name: string, ...content: Child[]): HTMLElement {
  const named = { class: "ts-table-holder", tabindex: 0, role: "group", "aria-label": name };
  return html("div", named, ...content);
}
