/** A number with its label and a word on it, as an entry of a list of terms. */

import { html, setText } from "./element";

export interface Stat {
  readonly element: HTMLElement;
  set(number: string, words: string): void;
}

/** @param gloss what it is, shown when the pointer rests on it */
export function createStat(label: string, testid: string, gloss = ""): Stat {
  const strong = html("b");
  const rest = html("span");
  const value = html("dd", { "data-testid": testid }, strong, rest);
  return {
    element: html("div", gloss ? { title: gloss } : {}, html("dt", {}, label), value),
    set(number, words) {
      setText(strong, number);
      setText(rest, words ? ` ${words}` : "");
    },
  };
}
