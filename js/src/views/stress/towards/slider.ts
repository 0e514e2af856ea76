/** How much of the way: a slider of the amounts that are there, and a box to type one. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { textWidth } from "../../../marks/text_width";
import type { TargetPopulationMessage } from "../../../wire/stress/towards";
import type { Part } from "../../shared/part";
import { keyTarget } from "../../shared/slider_keys";
import { createValueBox } from "../../shared/value_box";
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
  const typed = createValueBox(
    {
      label: `${LABEL} to ${there}`,
      hint: "A part of the way such as 70 % or 0.7",
      width: textWidth("100 %", 13) + 16,
    },
    (text, event) => {
      const read = readAmount(text, shown?.way.steps ?? []);
      if ("problem" in read) return read.problem;
      go(read.at, event);
      return read.words;
    },
    signal,
  );
  const slider = html("input", {
    type: "range",
    min: 0,
    step: 1,
    "data-testid": "amount",
    "aria-label": LABEL,
    ...OWN_KEYS,
  });
  slider.style.setProperty("--ts-zero", "0");
  slider.addEventListener("input", (event) => go(slider.valueAsNumber, event), { signal });
  slider.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || shown === null) return;
      const { at, way } = shown;
      const next = keyTarget(event.key, at, way.steps.length - 1, 0, (direction) => at + PAGE * direction);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      go(next, event);
    },
    { signal },
  );
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature" }, LABEL),
    html("span", { class: "ts-aside" }, typed.element),
  );
  const ends = html(
    "p",
    { class: "ts-quiet ts-way-ends", "aria-hidden": "true" },
    html("span", {}, "as tested"),
    html("span", {}, there),
  );
  const progress = html("p", { class: "ts-quiet", role: "status", "data-testid": "progress" });
  return {
    element: html(
      "div",
      { class: "ts-row ts-way ts-is-chosen" },
      head,
      typed.problem,
      html("div", { class: "ts-slider" }, slider),
      ends,
      progress,
    ),
    update(state) {
      shown = state;
      const { steps, done, total, problem } = state.way;
      const step = stepOf(state);
      const alone = steps.length < 2;
      slider.max = String(Math.max(1, steps.length - 1));
      slider.disabled = typed.element.disabled = alone;
      slider.value = String(alone ? step.amount : state.at);
      const part = alone ? step.amount : state.at / (steps.length - 1);
      slider.style.setProperty("--ts-to", String(part));
      slider.setAttribute("aria-valuetext", `${amountWords(step.amount)} of the way to ${there}`);
      typed.show(amountWords(step.amount));
      const late = done < total ? `Computing the way: ${done} of ${total} amounts…` : "";
      setText(progress, problem || late);
      progress.hidden = progress.textContent === "";
    },
  };
}
