/** How much of the way: a slider of the amounts that are there, and a box to type one. */

import { html, setText } from "../../../marks/element";
import type { TargetPopulationMessage } from "../../../wire/stress/towards";
import type { Part } from "../../shared/part";
import { createStepSlider } from "../../shared/step_slider";
import { amountWords, readAmount, type State, stepOf } from "./state";

const LABEL = "How much of the way";
/** Steps that PageUp and PageDown take. */
const PAGE = 2;

/** @param go shows the step at a place */
export function createSlider(
  { there }: TargetPopulationMessage,
  go: (at: number, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  let shown: State | null = null;
  const steps = createStepSlider(
    {
      ...{ label: LABEL, testid: "amount", page: PAGE, go, place: Number },
      box: [`${LABEL} to ${there}`, "A part of the way such as 70 % or 0.7", "100 %"],
      steps: () => shown && { at: shown.at, n: shown.way.steps.length, rest: 0 },
      type: (text, event) => {
        const read = readAmount(text, shown?.way.steps ?? []);
        if ("problem" in read) return read.problem;
        go(read.at, event);
        return read.words;
      },
    },
    signal,
  );
  const { slider, typed } = steps;
  [slider.min, slider.step] = ["0", "1"];
  const ends = html(
    "p",
    { class: "ts-quiet ts-way-ends", "aria-hidden": "true" },
    html("span", {}, "as tested"),
    html("span", {}, there),
  );
  const progress = html("p", { class: "ts-quiet", role: "status", "data-testid": "progress" });
  return {
    element: steps.row([], ends, progress),
    update(state) {
      shown = state;
      const { steps: known, done, total, problem } = state.way;
      const step = stepOf(state);
      const n = known.length;
      const alone = n < 2;
      slider.max = String(Math.max(1, n - 1));
      slider.disabled = typed.element.disabled = alone;
      slider.value = String(alone ? step.amount : state.at);
      const words = amountWords(step.amount);
      steps.show(alone ? step.amount : state.at / (n - 1), 0, `${words} of the way to ${there}`, words);
      const late = done < total ? `Computing the way: ${done} of ${total} amounts…` : "";
      setText(progress, problem || late);
      progress.hidden = progress.textContent === "";
    },
  };
}
