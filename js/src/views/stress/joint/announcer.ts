/** Says the population and the chosen metric to a screen reader once they have come to rest. */

import { html, setText } from "../../../marks/element";
import { isStressed } from "../../../wire/shared_stress";
import { trustOf } from "../../shared/trust";
import { intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";

/** Milliseconds without a change before the numbers are said. */
const REST = 500;

export function createAnnouncer(
  { data, metric: formats, metrics, signal }: Context,
  population: Element,
): Part {
  const element = html("p", { class: "ts-hidden", role: "status", "aria-live": "polite" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return {
    element,
    update(state, answer, before) {
      if (!before) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const said = [`${population.textContent ?? ""}.`];
        const { value, bare } = formats(state.metric);
        const now = answer.estimate(state.metric);
        if (!answer.reason && !answer.stale) {
          const bounds = intervalWords(bare(now.lower), bare(now.upper));
          const unstressed = value(data.message.unstressed[state.metric]?.value ?? Number.NaN);
          said.push(
            `${metrics[state.metric]?.label} ${value(now.value)}, interval ${bounds}, unstressed ${unstressed}.`,
          );
          if (isStressed(answer.stress) && trustOf(answer.ess, answer.paretoK) > 0)
            said.push("Not to be trusted.");
        }
        setText(element, said.join(" "));
      }, REST);
    },
  };
}
