/** Which population the rows are weighed in: in words, and in how far it was moved. */

import { UNSTRESSED } from "../../../wire/shared_stress";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import type { Context, Part } from "./context";
import { populationSentence } from "./words";

export function createPopulation({ data, intend, signal }: Context): Part {
  const { n_rows, weighted, ess, pareto_k } = data.message;
  const header = createPopulationHeader(n_rows, (event) => intend({ stress: UNSTRESSED }, event), signal);
  const asTested = { ess, kl: 0, tv: 0, paretoK: pareto_k };
  return {
    element: header.element,
    update({ stress }) {
      const { now, late, problem } = stress;
      header.element.classList.toggle("ts-is-stressed", now !== null);
      header.stats.classList.toggle("ts-is-stale", late);
      header.sentence.classList.toggle("ts-notice", problem !== "");
      header.stats.hidden = problem !== "";
      header.tail.hidden = now === null && !weighted;
      header.reset.hidden = now === null && !late && problem === "";
      header.say(populationSentence(stress, n_rows));
      const distances = now ? { ess: now.ess, kl: now.kl, tv: now.tv, paretoK: now.pareto_k } : asTested;
      header.measure(distances, now || late || problem ? null : linkedHint(data.message.live));
      header.judge(now?.doubt ?? NO_CAVEAT);
    },
  };
}
