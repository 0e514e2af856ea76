/** A slider of some steps, by keys too, and a box to type one of them. */

import { html, listen } from "../../marks/element";
import { textWidth } from "../../marks/text_width";
import { listenToKeys } from "./keys";
import { keyTarget } from "./slider_keys";
import { createValueBox } from "./value_box";

export interface Steps {
  readonly at: number;
  readonly n: number;
  /** Where Home of nothing chosen goes back to. */
  readonly rest: number;
}

export interface StepSliderOptions {
  readonly label: string;
  readonly testid: string;
  /** What the box is for, what it takes, and the widest that stands in it. */
  readonly box: readonly [label: string, hint: string, widest: string];
  /** Steps that PageUp and PageDown take. */
  readonly page: number;
  /** The steps shown; null before any are. */
  steps(): Steps | null;
  /** The step that the slider stands at. */
  place(value: number): number;
  go(at: number, event: Event): void;
  /** Go where a text says; returns what is to be said of it. */
  type(text: string, event: Event): string;
}

/** @returns the slider, the box, and both in a row of their own, with more below */
export function createStepSlider(signal: AbortSignal, options: StepSliderOptions) {
  const { label, testid, page, steps, place, go, type } = options;
  const [name, hint, widest] = options.box;
  const typed = createValueBox({ label: name, hint, width: textWidth(widest, 13) + 16 }, signal, type);
  const about = { type: "range", step: "any", "data-testid": testid, "aria-label": label };
  const slider = html("input", about);
  listen(slider, "input", signal, (event) => go(place(slider.valueAsNumber), event));
  listenToKeys(slider, signal, (event) => {
    const now = steps();
    if (!now) return false;
    const { at, n, rest } = now;
    const next = keyTarget(event.key, at, n - 1, rest, (direction) => at + page * direction);
    if (next === null) return false;
    go(next, event);
    return true;
  });
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature" }, label),
    html("span", { class: "ts-aside" }, typed),
  );
  return {
    slider,
    typed,
    row: (strip: readonly Element[], ...below: Element[]) =>
      html(
        "div",
        { class: "ts-row ts-steps ts-is-chosen" },
        head,
        typed.problem,
        html("div", { class: "ts-slider" }, slider, ...strip),
        ...below,
      ),
    /** @param part where it stands, in [0, 1] @param words of the step, and of the value in the box */
    show(part: number, zero: number, spoken: string, value: string) {
      slider.style.setProperty("--ts-to", String(part));
      slider.style.setProperty("--ts-zero", String(zero));
      slider.setAttribute("aria-valuetext", spoken);
      typed.show(value);
    },
  };
}
