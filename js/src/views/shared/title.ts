/** A panel with its heading: what it is, and of how much. */

import { type Child, html } from "../../marks/element";

export function createTitle(title: string, size: string): HTMLElement {
  return html(
    "h2",
    { class: "ts-title" },
    html("span", {}, html("span", { "aria-hidden": "true" }, "τ\u2002"), title),
    html("span", { class: "ts-quiet" }, size),
  );
}

/** @param kind its class, besides that of all panels */
export function createTitledPanel(kind: string, title: string, size: string, ...parts: Child[]): HTMLElement {
  return html(
    "section",
    { class: `ts-panel ${kind}`, "aria-label": title },
    createTitle(title, size),
    ...parts,
  );
}
