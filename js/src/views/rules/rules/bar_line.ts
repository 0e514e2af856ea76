/** A line of a list of bars: a name, and its share as a bar and in words. */

import { html } from "../../../marks/element";
import { shareWords } from "./words";

export function createBarLine(name: string, share: number): HTMLElement {
  const bar = html("span", { class: "ts-bar", style: `width: ${(100 * share).toFixed(1)}%` });
  return html(
    "li",
    {},
    html("span", { class: "ts-bar-name", title: name }, name),
    html("span", { class: "ts-bar-track", "aria-hidden": "true" }, bar),
    html("span", { class: "ts-number" }, shareWords(share)),
  );
}
