/** A place for words that change, as tall as the longest of them: nothing below it ever jumps. */

import { html, setText } from "./element";

export function createReservedText(content: HTMLElement) {
  const longest = html("p", { class: "ts-longest", "aria-hidden": "true" });
  return {
    element: html("div", { class: "ts-reserved" }, longest, content),
    /** The longest text to make room for. */
    reserve: (text: string) => setText(longest, text),
  };
}
