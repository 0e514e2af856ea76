/** The population shown, in words and in how far it was moved, before anything that is told of it. */

import { html, OWN_KEYS, setText } from "../../marks/element";
import { createReservedText } from "../../marks/reserved_text";
import { createStat } from "../../marks/stat";
import { count, kl, paretoK, tv } from "../../theme/formats";
import type { Sentence } from "./words";

const TITLE = "Population shown: ";
const GLOSSES = {
  ess: "(Σw)² / Σw²: roughly how many rows of equal weight would tell as much of what does not follow the features moved",
  tv: "the share of the weight that changed hands",
  kl: "how far the weights moved, as Kullback-Leibler divergence",
  paretoK:
    "how heavy the tail of the largest weights is, on these rows; a diagnostic of the sample, no property of the population",
} as const;

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
  readonly stats: HTMLElement;
  /** The entry of Pareto k̂ among the facts. */
  readonly tail: HTMLElement;
  readonly reset: HTMLButtonElement;
  /** The longest sentence to make room for. */
  reserve(words: Sentence): void;
  say(words: Sentence): void;
  measure(distances: Distances): void;
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
  const ess = createStat("effective sample", "ess", GLOSSES.ess);
  const distance = createStat("total variation", "tv", GLOSSES.tv);
  const divergence = createStat("KL", "kl", GLOSSES.kl);
  const tail = createStat("Pareto k̂", "pareto-k", GLOSSES.paretoK);
  const button = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "reset", ...OWN_KEYS },
    "Reset",
  );
  button.addEventListener("click", reset, { signal });
  const line = createReservedText(html("div", {}, html("span", { class: "ts-quiet" }, TITLE), sentence));
  const stats = html("dl", {}, ess.element, distance.element, divergence.element, tail.element);
  const rows = count(nRows);
  return {
    element: html("header", { class: "ts-population" }, line.element, stats, button),
    sentence,
    stats: stats,
    tail: tail.element,
    reset: button,
    reserve: (words) => line.reserve(TITLE + words.strong + words.rest),
    say(words) {
      setText(strong, words.strong);
      setText(rest, words.rest);
    },
    measure(now) {
      const known = Number.isFinite(now.ess);
      ess.set(count(now.ess), known ? `of ${rows}` : "");
      distance.set(tv(now.tv), "");
      divergence.set(kl(now.kl), known ? "nats" : "");
      tail.set(paretoK(now.paretoK), "");
    },
  };
}
