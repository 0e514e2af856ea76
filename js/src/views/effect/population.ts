/** The population in words and how far it was moved, before the picture. */

import { html, OWN_KEYS, setText } from "../../marks/element";
import { createFact } from "../../marks/fact";
import { count, kl, paretoK, tv } from "../../theme/formats";
import { UNSTRESSED } from "../../wire/stress";
import { FEWEST_ROWS, INTERVAL_LIMIT, paretoWord } from "../stress_curves/trust";
import type { Context, Part } from "./context";

const TITLE = "Population shown: ";

export function createPopulation({ message, intend, signal }: Context): Part {
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
  reset.addEventListener("click", (event) => intend({ stress: UNSTRESSED }, event), { signal });
  const line = html("div", {}, html("span", { class: "ts-quiet" }, TITLE), sentence);
  const facts = html("dl", {}, ess.element, distance.element, divergence.element, tail.element);
  const element = html("header", { class: "ts-population" }, line, facts, reset);
  const rows = count(message.n_rows);
  return {
    element,
    update({ shown: { population, stale } }) {
      const { stressed, problem, words } = population;
      element.classList.toggle("ts-is-stressed", stressed && !problem);
      element.classList.toggle("ts-is-stale", stale);
      sentence.classList.toggle("ts-doubtful", problem !== "");
      facts.hidden = problem !== "";
      tail.element.hidden = !stressed && Number.isNaN(population.paretoK);
      reset.hidden = !stressed && !stale;
      if (problem) {
        setText(strong, "none.");
        setText(
          rest,
          ` The stress cannot be shown: ${problem.replace(/\.$/, "")}. The picture is of the data as they are.`,
        );
      } else if (!stressed) {
        setText(strong, stale ? "on its way…" : "the data as they are:");
        setText(rest, stale ? " the kernel weights the rows" : ` ${rows} rows`);
      } else {
        setText(strong, words);
        setText(rest, stale ? " (before; the kernel weights the rows anew…)" : "");
      }
      const few = population.ess < FEWEST_ROWS;
      ess.set(count(population.ess), `of ${rows}${few ? ", too few" : ""}`, few);
      distance.set(tv(population.tv), "");
      divergence.set(kl(population.kl), "nats");
      tail.set(
        paretoK(population.paretoK),
        paretoWord(population.paretoK),
        !(population.paretoK <= INTERVAL_LIMIT),
      );
    },
  };
}
