/** Something to open when wanted. */

import { type Child, html } from "./element";

export function createDetails(title: string, ...children: Child[]): HTMLDetailsElement {
  return html("details", { class: "ts-details" }, html("summary", {}, title), ...children);
}
