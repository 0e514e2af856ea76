/** A place for words that change, as tall as the longest of them: nothing below it ever jumps. */

import { html, setText } from "./element";

export interface ReservedText {
  readonly element: HTMLElement;
  /** The longest text to make room for. */
  reserve(text: string): void;
}

export function createReservedText(content: HTMLElement): ReservedText {
  const longest = html("p", { class: "ts-longest", "aria-hidden": "true" });
  return {
    element: html("div", { class: "ts-reserved" }, longest, content),
    reserve: (text) => setText(longest, text),
  };
}
