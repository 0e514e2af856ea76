/** One threshold: a slider in the score's unit, a box to type in, and where the cost is least. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { textWidth } from "../../../marks/text_width";
import type { Formatter } from "../../../theme/formats";
import type { Best } from "../../../wire/stress/thresholds";
import { keyTarget } from "../../shared/slider_keys";
import { createValueBox } from "../../shared/value_box";
import { nearest, readThreshold } from "./state";

/** Thresholds that PageUp and PageDown take. */
const PAGE = 5;

export interface SliderState {
  readonly thresholds: readonly number[];
  /** Place among them. */
  readonly at: number;
  readonly present: number | null;
  readonly best: Best | null;
  /** What is said of the best one; "" for nothing. */
  readonly words: string;
  readonly write: Formatter;
}

export interface ThresholdSlider {
  readonly element: HTMLElement;
  update(now: SliderState): void;
}

/** @param go shows the threshold at a place */
export function createThresholdSlider(
  name: string,
  go: (at: number, event: Event) => void,
  signal: AbortSignal,
): ThresholdSlider {
  let now: SliderState | null = null;
  const label = name ? `Threshold for ${name}` : "Threshold of the score";
  const typed = createValueBox(
    { label, hint: "A threshold such as 0.35", width: textWidth("−0.0000", 13) + 16 },
    (text, event) => {
      const { thresholds = [], write = String } = now ?? {};
      const read = readThreshold(text, thresholds);
      if ("problem" in read) return read.problem;
      go(read.at, event);
      return read.off ? `${write(thresholds[read.at] as number)} is the nearest that was compared.` : "";
    },
    signal,
  );
  const slider = html("input", {
    type: "range",
    step: "any",
    "data-testid": "threshold",
    "aria-label": label,
    ...OWN_KEYS,
  });
  const listen = (act: (event: KeyboardEvent | Event, now: SliderState) => number | null, type: string) =>
    slider.addEventListener(
      type,
      (event) => {
        const next = now && act(event, now);
        if (next === null) return;
        if (type === "keydown") {
          event.preventDefault();
          event.stopPropagation();
        }
        go(next, event);
      },
      { signal },
    );
  listen((_, { thresholds }) => nearest(thresholds, slider.valueAsNumber), "input");
  listen((event, { thresholds, at, present }) => {
    const { key, ctrlKey, altKey, metaKey } = event as KeyboardEvent;
    if (ctrlKey || altKey || metaKey) return null;
    const rest = present === null ? at : nearest(thresholds, present);
    return keyTarget(key, at, thresholds.length - 1, rest, (direction) => at + PAGE * direction);
  }, "keydown");
  const range = html("i", { class: "ts-best-range" });
  const mark = html("i", { class: "ts-best-mark" });
  const strip = html("span", { class: "ts-best-strip", "aria-hidden": "true" }, range, mark);
  const said = html("span", { "data-testid": "best" });
  const button = html(
    "button",
    {
      type: "button",
      class: "ts-button",
      "data-testid": "to-best",
      title: `Least cost: ${label}`,
      ...OWN_KEYS,
    },
    "Go to the best",
  );
  button.addEventListener(
    "click",
    (event) => now?.best && go(nearest(now.thresholds, now.best.threshold), event),
    {
      signal,
    },
  );
  const line = html("p", { class: "ts-quiet ts-best" }, said, button);
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature" }, label),
    html("span", { class: "ts-aside" }, typed.element),
  );
  return {
    element: html(
      "div",
      { class: "ts-row ts-threshold ts-is-chosen" },
      head,
      typed.problem,
      html("div", { class: "ts-slider" }, slider, strip),
      line,
    ),
    update(next) {
      now = next;
      const { thresholds, at, present, best, words, write } = next;
      const value = thresholds[at] as number;
      const [low, high] = [thresholds[0] as number, thresholds.at(-1) as number];
      const part = (threshold: number) => Math.min(1, Math.max(0, (threshold - low) / (high - low || 1)));
      [slider.min, slider.max, slider.value] = [String(low), String(high), String(value)];
      slider.style.setProperty("--ts-to", String(part(value)));
      slider.style.setProperty("--ts-zero", String(part(present ?? low)));
      slider.setAttribute("aria-valuetext", write(value));
      typed.show(write(value));
      strip.hidden = best === null;
      range.hidden = !Number.isFinite(best?.lower);
      if (best) {
        range.style.left = `${100 * part(best.lower)}%`;
        range.style.width = `${100 * (part(best.upper) - part(best.lower))}%`;
        mark.style.left = `${100 * part(best.threshold)}%`;
      }
      setText(said, words);
      line.hidden = words === "";
      button.disabled = best === null || nearest(thresholds, best.threshold) === at;
    },
  };
}
