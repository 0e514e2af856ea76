/** A number with its label and a word on it, as an entry of a list of terms. */

import { html, setText } from "./element";

export interface Stat {
  readonly element: HTMLElement;
  set(number: string, words: string, doubtful?: boolean): void;
}

export function createStat(label: string, testid: string): Stat {
  const strong = html("b");
  const rest = html("span");
  const value = html("dd", { "data-testid": testid }, strong, rest);
  return {
    element: html("div", {}, html("dt", {}, label), value),
    set(number, words, doubtful = false) {
      setText(strong, number);
      setText(rest, words ? ` ${words}` : "");
      value.classList.toggle("ts-doubtful", doubtful);
    },
  };
}
