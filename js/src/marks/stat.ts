/** A number with its label and a word on it, as an entry of a list of terms. */

import { html, setText } from "./element";
import { createTerm } from "./term";

export interface Stat {
  readonly element: HTMLElement;
  set(number: string, words: string): void;
}

/** @param term what the label means, explained by a click, and when listening ends */
export function createStat(label: string, testid: string, term?: readonly [string, AbortSignal]): Stat {
  const strong = html("b");
  const rest = html("span");
  const value = html("dd", { "data-testid": testid }, strong, rest);
  return {
    element: html("div", {}, html("dt", {}, term ? createTerm(label, ...term) : label), value),
    set(number, words) {
      setText(strong, number);
      setText(rest, words ? ` ${words}` : "");
    },
  };
}
