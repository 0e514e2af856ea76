/** One threshold: a slider in the score's unit, a box to type in, and where the cost is least. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import type { Formatter } from "../../../theme/formats";
import type { BestThresholdMessage } from "../../../wire/messages";
import { createStepSlider } from "../../shared/step_slider";
import { nearest, readThreshold } from "./state";

/** Thresholds that PageUp and PageDown take. */
const PAGE = 5;

export interface SliderState {
  readonly thresholds: readonly number[];
  /** Place among them. */
  readonly at: number;
  readonly present: number | null;
  readonly best: BestThresholdMessage | null;
  /** What is said of the best one; "" for nothing. */
  readonly words: string;
  readonly write: Formatter;
}

/** @param go shows the threshold at a place */
export function createThresholdSlider(
  name: string,
  signal: AbortSignal,
  go: (at: number, event: Event) => void,
) {
  let now: SliderState | null = null;
  const label = name ? `Threshold for ${name}` : "Threshold of the score";
  const steps = createStepSlider(
    {
      ...{ label, testid: "threshold", box: [label, "A threshold such as 0.35", "−0.0000"], page: PAGE, go },
      steps: () => {
        if (!now) return null;
        const { thresholds, at, present } = now;
        return { at, n: thresholds.length, rest: present === null ? at : nearest(thresholds, present) };
      },
      place: (value) => nearest(now?.thresholds ?? [], value),
      type: (text, event) => {
        const { thresholds = [], write = String } = now ?? {};
        const read = readThreshold(text, thresholds);
        if ("problem" in read) return read.problem;
        go(read.at, event);
        return read.off ? `${write(thresholds[read.at] as number)} is the nearest that was compared.` : "";
      },
    },
    signal,
  );
  const range = html("i", { class: "ts-best-range" });
  const mark = html("i", { class: "ts-best-mark" });
  const strip = html("span", { class: "ts-best-strip", "aria-hidden": "true" }, range, mark);
  const said = html("span", { "data-testid": "best" });
  const button = createButton(
    { "data-testid": "to-best", title: `Least cost: ${label}` },
    "Go to the best",
    signal,
    (event) => now?.best && go(nearest(now.thresholds, now.best.threshold), event),
  );
  const line = html("p", { class: "ts-quiet ts-best" }, said, button);
  return {
    element: steps.row([strip], line),
    update(next: SliderState) {
      now = next;
      const { thresholds, at, present, best, words, write } = next;
      const value = thresholds[at] as number;
      const [low, high] = [thresholds[0] as number, thresholds.at(-1) as number];
      const part = (threshold: number) => Math.min(1, Math.max(0, (threshold - low) / (high - low || 1)));
      [steps.slider.min, steps.slider.max, steps.slider.value] = [String(low), String(high), String(value)];
      steps.show(part(value), part(present ?? low), write(value), write(value));
      strip.hidden = best === null;
      range.hidden = !Number.isFinite(best?.lower);
      if (best) {
        range.style.left = `${100 * part(best.lower)}%`;
        range.style.width = `${100 * (part(best.upper) - part(best.lower))}%`;
        mark.style.left = `${100 * part(best.threshold)}%`;
      }
      setText(said, words);
      line.hidden = words === "";
      switchOff(button, best === null || nearest(thresholds, best.threshold) === at);
    },
  };
}
