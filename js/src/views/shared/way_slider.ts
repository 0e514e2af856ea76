/** How much of a way: a slider of the amounts that are there, and a box to type one. */

import { html, showText } from "../../marks/element";
import { amountWords, type HasAmount, readAmount } from "./amounts";
import type { Part } from "./part";
import { createStepSlider } from "./step_slider";

/** The amounts that are there, and how many of all; `problem` says why there are no more. */
export interface WayState {
  readonly at: number;
  readonly way: {
    readonly steps: readonly HasAmount[];
    readonly done: number;
    readonly total: number;
    readonly problem: string;
  };
}

export interface WayWords {
  /** What the slider is of: "How much of the way". */
  readonly label: string;
  /** The value in words, behind a percentage: "of the way to 77 new rows". */
  readonly of: string;
  /** What is typed, and how. */
  readonly typed: string;
  readonly hint: string;
  /** Below its ends. */
  readonly ends: readonly [string, string];
}

/** Steps that PageUp and PageDown take. */
const PAGE = 2;

/** @param go shows the step at a place */
export function createWaySlider(
  { label, of, typed: name, hint, ends }: WayWords,
  signal: AbortSignal,
  go: (at: number, event: Event) => void,
): Part<WayState> {
  let shown: WayState | null = null;
  const steps = createStepSlider(signal, {
    ...{ label, testid: "amount", page: PAGE, go, place: Number },
    box: [name, hint, "100 %"],
    steps: () => shown && { at: shown.at, n: shown.way.steps.length, rest: 0 },
    type: (text, event) => {
      const read = readAmount(text, shown?.way.steps ?? []);
      if ("problem" in read) return read.problem;
      go(read.at, event);
      return read.words;
    },
  });
  const { slider, typed } = steps;
  [slider.min, slider.step] = ["0", "1"];
  const below = html(
    "p",
    { class: "ts-quiet ts-way-ends", "aria-hidden": "true" },
    ...ends.map((end) => html("span", {}, end)),
  );
  const progress = html("p", { class: "ts-quiet", role: "status", "data-testid": "progress" });
  return {
    element: steps.row([], below, progress),
    update(state) {
      shown = state;
      const { steps: known, done, total, problem } = state.way;
      const { amount } = known[state.at] as HasAmount;
      const n = known.length;
      const alone = n < 2;
      slider.max = String(Math.max(1, n - 1));
      slider.disabled = typed.element.disabled = alone;
      slider.value = String(alone ? amount : state.at);
      const words = amountWords(amount);
      steps.show(alone ? amount : state.at / (n - 1), 0, `${words} ${of}`, words);
      const late = done < total ? `Computing the way: ${done} of ${total} amounts…` : "";
      showText(progress, problem || late);
    },
  };
}
