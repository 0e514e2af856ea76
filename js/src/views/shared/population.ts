/** The population shown, in words and in how far it was moved, before anything that is told of it. */

import { html, OWN_KEYS, setText } from "../../marks/element";
import { createReservedText } from "../../marks/reserved_text";
import { createStat } from "../../marks/stat";
import { count, kl, paretoK, tv } from "../../theme/formats";
import type { Level } from "../../wire/reasons";
import { markLevel } from "./reliability";
import { TERMS } from "./terms";
import type { Sentence } from "./words";

const TITLE = "Population shown: ";
/** Said at rest, in the place of numbers that say nothing then. */
export const AT_REST = "Move a slider, or type a value, to see another population.";
export const AT_REST_LINKED = "Stress the rows in a linked view to see this in another population.";

/** How far the weights are from those without stress; NaN where there are none. */
export interface Distances {
  readonly ess: number;
  readonly tv: number;
  readonly kl: number;
  readonly paretoK: number;
}

export interface PopulationHeader {
  readonly element: HTMLElement;
  /** The sentence alone, without its title. */
  readonly sentence: HTMLElement;
  /** How far it was moved, and what is said in its place at rest. */
  readonly stats: HTMLElement;
  /** The entry of Pareto k̂ among the facts. */
  readonly tail: HTMLElement;
  readonly reset: HTMLButtonElement;
  /** The longest sentence to make room for. */
  reserve(words: Sentence): void;
  say(words: Sentence): void;
  /** @param atRest what to say while nothing is moved, in the place of numbers that say nothing then */
  measure(distances: Distances, atRest?: string): void;
  /** What speaks against any number of this population; "" for nothing. */
  doubt(words: string, level: Level): void;
}

/** @param nRows rows that the effective sample is compared with */
export function createPopulationHeader(
  nRows: number,
  reset: (event: Event) => void,
  signal: AbortSignal,
): PopulationHeader {
  const strong = html("b");
  const rest = html("span");
  const sentence = html("p", { "data-testid": "population" }, strong, rest);
  const ess = createStat("effective sample", "ess", [TERMS.ess, signal]);
  const distance = createStat("total variation", "tv", [TERMS.distance, signal]);
  const divergence = createStat("KL", "kl", [TERMS.distance, signal]);
  const tail = createStat("Pareto k̂", "pareto-k", [TERMS.paretoK, signal]);
  const button = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "reset", ...OWN_KEYS },
    "Reset",
  );
  button.addEventListener("click", reset, { signal });
  const line = createReservedText(html("div", {}, html("span", { class: "ts-quiet" }, TITLE), sentence));
  const doubtful = html("p", { class: "ts-population-doubt", "data-testid": "population-doubt" });
  doubtful.hidden = true;
  const numbers = html("dl", {}, ess.element, distance.element, divergence.element, tail.element);
  const hint = html("p", { "data-testid": "at-rest" });
  const stats = html("div", { class: "ts-moved-by" }, numbers, hint);
  const rows = count(nRows);
  return {
    element: html("header", { class: "ts-population" }, line.element, stats, doubtful, button),
    sentence,
    stats,
    tail: tail.element,
    reset: button,
    reserve: (words) => line.reserve(TITLE + words.strong + words.rest),
    say(words) {
      setText(strong, words.strong);
      setText(rest, words.rest);
    },
    measure(now, atRest = "") {
      // rows that carry weights of their own have fewer effective ones without any stress
      const resting = atRest !== "" && !(now.ess < nRows - 0.5);
      stats.classList.toggle("ts-at-rest", resting);
      setText(hint, resting ? atRest : "");
      const known = Number.isFinite(now.ess);
      ess.set(count(now.ess), known ? `of ${rows}` : "");
      distance.set(tv(now.tv), "");
      divergence.set(kl(now.kl), known ? "nats" : "");
      tail.set(paretoK(now.paretoK), "");
    },
    doubt(words, level) {
      setText(doubtful, words);
      doubtful.hidden = words === "";
      markLevel(doubtful, level);
    },
  };
}
