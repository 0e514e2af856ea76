/** The population shown, in words and in how far to rely on it, before anything that is told of it. */

import { createButton } from "../../marks/button";
import { createDetails } from "../../marks/details";
import { html, setText, showText } from "../../marks/element";
import { createReservedText } from "../../marks/reserved_text";
import { createStat } from "../../marks/stat";
import { createTerm } from "../../marks/term";
import { count, kl, paretoK, tv } from "../../theme/formats";
import { LEVELS, type Level } from "../../wire/reasons";
import { type Caveat, markLevel, NO_CAVEAT } from "./reliability";
import { TERMS } from "./terms";
import type { Sentence } from "./words";

const TITLE = "Population shown";
/** Full, half and empty, since the colour alone would not do. */
const SIGNS = ["●", "◐", "○"] as const;
const MEANING =
  "Of all weights that make this population, these are the closest to the rows as tested: KL is the least there is.";
/** Said at rest, in the place of numbers that say nothing then. */
export const AT_REST = "Move a slider, or type a value, to see another population.";
/** The same of a view that follows others; a page that was saved of it has none to follow. */
export const linkedHint = (live: boolean) =>
  live ? "Stress the rows in a linked view to see this in another population." : "";

/** How far the weights are from those without stress; NaN where there are none. */
export interface Distances {
  readonly ess: number;
  readonly tv: number;
  readonly kl: number;
  readonly pareto_k: number;
}

export type PopulationHeader = ReturnType<typeof createPopulationHeader>;

/** The one word for how far to rely on a population, its reason, and the effective sample behind it. */
function createTrust(nRows: number, signal: AbortSignal) {
  const sign = html("span", { class: "ts-trust-sign", "aria-hidden": "true" });
  const word = html("b", { "data-testid": "level" });
  const reason = html("span");
  const ess = html("span", { "data-testid": "ess" });
  const rows = html(
    "span",
    { class: "ts-number" },
    ess,
    " ",
    createTerm("effective rows", TERMS.ess, signal),
  );
  const element = html("p", { class: "ts-population-trust", "data-testid": "population-trust" });
  element.append(
    sign,
    " ",
    word,
    ": ",
    reason,
    rows,
    html("span", { class: "ts-of-how-many" }, ` of ${count(nRows)}`),
  );
  let said = "";
  return {
    element,
    spoken: () => (element.hidden ? "" : said),
    set(known: number, { level, words }: Caveat) {
      const place = LEVELS.indexOf(level) as Level;
      const why = words && `${words}; `;
      setText(sign, SIGNS[place]);
      setText(word, level);
      setText(reason, why);
      setText(ess, count(known));
      markLevel(element, place);
      said = `${level}: ${why}${count(known)} effective rows of ${count(nRows)}`;
    },
  };
}

/** @param nRows rows that the effective sample is compared with */
export function createPopulationHeader(nRows: number, signal: AbortSignal, reset: (event: Event) => void) {
  const title = html("span", { class: "ts-quiet", "data-testid": "population-name" }, `${TITLE}: `);
  const strong = html("b");
  const rest = html("span");
  const sentence = html("p", { "data-testid": "population" }, strong, rest);
  const distance = createStat("total variation", "tv", [TERMS.distance, signal]);
  const divergence = createStat("KL", "kl", [TERMS.distance, signal]);
  const tail = createStat("Pareto k̂", "pareto-k", [TERMS.paretoK, signal]);
  const button = createButton({ "data-testid": "reset" }, "Reset", signal, reset);
  const line = createReservedText(html("div", {}, title, sentence));
  const trust = createTrust(nRows, signal);
  const numbers = html("dl", {}, distance, divergence, tail);
  const details = createDetails(
    "details",
    html("div", {}, numbers, html("p", { class: "ts-quiet" }, MEANING)),
  );
  details.dataset.testid = "population-details";
  const hint = html("p", { class: "ts-population-hint", "data-testid": "at-rest" });
  const stats = html("div", { class: "ts-moved-by" }, hint, trust, details);
  let [ess, caveat, resting] = [Number.NaN, NO_CAVEAT, false];
  const show = () => {
    trust.element.hidden = details.hidden = resting || !Number.isFinite(ess);
    stats.classList.toggle("ts-is-caveat", caveat.words !== "");
    trust.set(ess, caveat);
  };
  show();
  return {
    element: html("header", { class: "ts-population" }, line, stats, button),
    /** The sentence alone, without its title. */
    sentence,
    /** How far it can be relied on and how far it was moved, and what is said in its place at rest. */
    stats,
    /** The entry of Pareto k̂ among the facts. */
    tail: tail.element,
    reset: button,
    /** The longest sentence to make room for. */
    reserve: (words: Sentence) => line.reserve(`${TITLE}: ${words.strong}${words.rest}`),
    /** What the population is called; "" for a title of no name. */
    name(words: string) {
      setText(title, `${words || TITLE}: `);
      title.classList.toggle("ts-is-named", words !== "");
    },
    say(words: Sentence) {
      setText(strong, words.strong);
      setText(rest, words.rest);
    },
    /** @param atRest what to say in the place of numbers at rest; null where the rows are not at rest */
    measure(now: Distances, atRest: string | null = null) {
      // rows that carry weights of their own have fewer effective ones without any stress
      resting = atRest !== null && !(now.ess < nRows - 0.5);
      ess = now.ess;
      showText(hint, resting ? (atRest ?? "") : "");
      distance.set(tv(now.tv), "");
      divergence.set(kl(now.kl), Number.isFinite(ess) ? "nats" : "");
      tail.set(paretoK(now.pareto_k), "");
      show();
    },
    /** What speaks against any number of this population, said in one word with its reason. */
    judge(now: Caveat) {
      caveat = now;
      show();
    },
    /** Population and trust as they are read out, or copied. */
    spoken() {
      const said = (sentence.textContent ?? "").replace(/\.$/, "");
      return [said, trust.spoken()].filter(Boolean).join("; ");
    },
  };
}
