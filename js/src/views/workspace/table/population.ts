/** Which population the rows are weighed in: in words, and in how far it was moved. */

import { UNSTRESSED } from "../../../wire/shared_stress";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import { distancesOf, markStressed, stressSentence } from "../../shared/stress_shown";
import type { Context, Part } from "./context";

const WORDS = {
  doing: "weighs the rows",
  first: "weighs the rows under the stress",
  instead: "The weights are those of the data as they are.",
};

export function createPopulation({ data, intend, signal }: Context): Part {
  const { n_rows, weighted, ess, pareto_k } = data.message;
  const header = createPopulationHeader(n_rows, (event) => intend({ stress: UNSTRESSED }, event), signal);
  const asTested = { ess, kl: 0, tv: 0, paretoK: pareto_k };
  return {
    element: header.element,
    update({ stress }) {
      const { now, late, problem } = stress;
      markStressed(header, now !== null, late, problem);
      header.stats.hidden = problem !== "";
      header.tail.hidden = now === null && !weighted;
      header.reset.hidden = now === null && !late && problem === "";
      header.say(stressSentence(stress, n_rows, WORDS));
      header.measure(
        now ? distancesOf(now) : asTested,
        now || late || problem ? null : linkedHint(data.message.live),
      );
      header.judge(now?.doubt ?? NO_CAVEAT);
    },
  };
}
