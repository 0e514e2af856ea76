/** The population in words and how far it was moved, before the picture. */

import { UNSTRESSED } from "../../../wire/shared_stress";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { stressSentence } from "../../shared/stress_shown";
import type { Sentence } from "../../shared/words";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";

const WORDS = { doing: "weights the rows", first: "weights the rows", instead: "" };

function sentence({ population, stale }: DerivedView, nRows: number): Sentence {
  const { stressed, problem, words } = population;
  if (problem) {
    const why = problem.replace(/\.$/, "");
    return {
      strong: "none.",
      rest: ` The stress cannot be shown: ${why}. The picture is of the data as they are.`,
    };
  }
  return stressSentence({ now: stressed ? { words } : null, late: stale, problem }, nRows, WORDS);
}

export function createPopulation({ message, intend, signal }: Context): Part {
  const header = createPopulationHeader(
    message.n_rows,
    (event) => intend({ stress: UNSTRESSED }, event),
    signal,
  );
  const { element, stats: facts, tail, reset } = header;
  return {
    element,
    update({ shown }) {
      const { population, stale } = shown;
      const { stressed, problem } = population;
      element.classList.toggle("ts-is-stressed", stressed && !problem);
      element.classList.toggle("ts-is-stale", stale);
      header.sentence.classList.toggle("ts-notice", problem !== "");
      facts.hidden = problem !== "";
      tail.hidden = !stressed && Number.isNaN(population.paretoK);
      reset.hidden = !stressed && !stale;
      header.say(sentence(shown, message.n_rows));
      header.measure(population, stressed || stale || problem ? null : linkedHint(message.live));
    },
  };
}
