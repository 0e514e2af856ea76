/** The heading of a panel: what it is, and of how much. */

import { html } from "../../marks/element";

export function createTitle(title: string, size: string): HTMLElement {
  return html(
    "h2",
    { class: "ts-title" },
    html("span", {}, html("span", { "aria-hidden": "true" }, "τ\u2002"), title),
    html("span", { class: "ts-quiet" }, size),
  );
}
