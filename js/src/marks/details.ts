/** Something to open when wanted. */

import { type Child, html, OWN_KEYS } from "./element";

export function createDetails(title: string, ...children: Child[]): HTMLDetailsElement {
  return html("details", { class: "ts-details" }, html("summary", { ...OWN_KEYS }, title), ...children);
}
