/** The population in words and how far it was moved, before any chart. */

import { html, OWN_KEYS, setText } from "../../marks/element";
import { createFact } from "../../marks/fact";
import { createSteady } from "../../marks/steady";
import { count, kl, paretoK, tv } from "../../theme/formats";
import type { FeatureMessage } from "../../wire/stress_curves";
import type { Context, Part } from "./context";
import { FEWEST_ROWS, INTERVAL_LIMIT, paretoWord } from "./trust";
import { populationWords, type Sentence } from "./words";

const TITLE = "Population shown: ";

export function createPopulationLine({ data, intend, signal, target }: Context): Part {
  const { message, zero } = data;
  const strong = html("b");
  const rest = html("span");
  const sentence = html("p", { "data-testid": "population" }, strong, rest);
  const ess = createFact("effective sample", "ess");
  const distance = createFact("total variation", "tv");
  const divergence = createFact("KL", "kl");
  const tail = createFact("Pareto k̂", "pareto-k");
  const reset = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "reset", ...OWN_KEYS },
    "Reset",
  );
  reset.addEventListener("click", (event) => intend({ tau: zero }, event), { signal });
  const rows = count(message.n_rows);
  const line = createSteady(html("div", {}, html("span", { class: "ts-quiet" }, TITLE), sentence));
  const element = html(
    "header",
    { class: "ts-population" },
    line.element,
    html("dl", {}, ess.element, distance.element, divergence.element, tail.element),
    reset,
  );
  const say = (feature: number, tau: number, stressed: boolean): Sentence => {
    const means = data.population(feature).target;
    const [before, now] = [means[zero], means[tau]].map((mean) => target(feature).value(mean as number));
    const about = message.features[feature] as FeatureMessage;
    return populationWords(about, before as string, now as string, stressed, rows);
  };
  const reserve = (feature: number) => {
    const ends = [0, message.taus.length - 1].map((t) => say(feature, t, true));
    const texts = ends.map((words) => TITLE + words.strong + words.rest);
    line.reserve(texts.reduce((a, b) => (b.length > a.length ? b : a)));
  };
  return {
    element,
    update({ feature, tau }, from) {
      if (feature !== from?.feature) reserve(feature);
      const population = data.population(feature);
      const words = say(feature, tau, tau !== zero);
      element.classList.toggle("ts-is-stressed", tau !== zero);
      setText(strong, words.strong);
      setText(rest, words.rest);
      const effective = population.ess[tau] as number;
      const k = population.pareto_k[tau] as number;
      const few = effective < FEWEST_ROWS;
      ess.set(count(effective), `of ${rows}${few ? ", too few" : ""}`, few);
      distance.set(tv(population.tv[tau] as number), "");
      divergence.set(kl(population.kl[tau] as number), "nats");
      tail.set(paretoK(k), paretoWord(k), !(k <= INTERVAL_LIMIT));
    },
  };
}
