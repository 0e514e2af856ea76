/** One feature's slider, with its mean, its curve in small, and what τ cannot mean for it. */

import { axis } from "../../../marks/axis";
import { html, listen, setText, svg } from "../../../marks/element";
import { linePath } from "../../../marks/path";
import { textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import { featureRemarks, rowLabel } from "../../shared/feature_list";
import { listenToKeys } from "../../shared/keys";
import { keyTarget, PAGE } from "../../shared/slider_keys";
import { type Asked, readTyped, typingHint } from "../../shared/typed_value";
import { createValueBox, valueWidths } from "../../shared/value_box";
import { sliderWords, valueLabel } from "../../shared/words";
import type { Context } from "./context";
import { nearestTau } from "./state";

/** A feature's curve at the size of a word, on a scale shared by all features. */
function createSparkline() {
  const { width, height } = sizes.sparkline;
  const path = svg("path", { class: "ts-spark-line" });
  const element = svg("svg", { class: "ts-spark", width, height, "aria-hidden": "true" }, path);
  return {
    element,
    draw(values: ArrayLike<number>, [low, high]: readonly [number, number]) {
      const along = width / Math.max(1, values.length - 1);
      const y = axis([low, high], [height - 2, 2]).at;
      const positions = Array.from(values, (_, t) => t);
      path.setAttribute(
        "d",
        linePath(
          positions,
          (t) => t * along,
          (t) => y(values[t] as number),
        ),
      );
    },
  };
}

const ASIDE_TEXT = 13;
const GAP = 8;
const WAS = "was ";

export type FeatureRow = ReturnType<typeof createFeatureRow>;

function evenStep(taus: readonly number[]): number | "any" {
  const step = ((taus.at(-1) as number) - (taus[0] as number)) / Math.max(1, taus.length - 1);
  const even = taus.every((tau, t) => Math.abs(tau - ((taus[0] as number) + t * step)) < 1e-9);
  return even ? Number(step.toPrecision(12)) : "any";
}

/** The step nearest to a mean. */
function nearestMean(means: ArrayLike<number>, target: number): number {
  let [nearest, least] = [0, Infinity];
  for (let k = 0; k < means.length; k++) {
    const away = Math.abs((means[k] as number) - target);
    if (away < least) [nearest, least] = [k, away];
  }
  return nearest;
}

/** @param ofCategory whether the row stands under its column, and is named by its level alone */
export function createFeatureRow(context: Context, feature: number, ofCategory = false) {
  const { data, intend, point, signal } = context;
  const { taus } = data.message;
  const about = data.message.features[feature] as CurvesFeatureMessage;
  const show = context.target(feature).value;
  const { target } = data.population(feature);
  const last = taus.length - 1;

  const unmoved = target[data.zero] as number;
  const mean = show(unmoved);
  const asked: Asked = {
    ...about,
    mean: unmoved,
    low: target[0] as number,
    high: target[last] as number,
  };
  const [widest, boxWidth] = valueWidths(asked, show);
  const typed = createValueBox(
    { label: valueLabel(about), hint: typingHint(about), width: boxWidth },
    signal,
    (text, event) => {
      const read = readTyped(text, asked, show);
      if ("problem" in read) return read.problem;
      const near = show(read.target) === mean ? data.zero : nearestMean(target, read.target);
      move(near, event);
      const reached = show(target[near] as number);
      return reached === show(read.target) ? "" : `The nearest step of these curves is ${reached}.`;
    },
  );
  const before = html("span", { class: "ts-number" });
  const spark = createSparkline();
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature", title: about.name }, rowLabel(about, ofCategory)),
    html("span", { class: "ts-aside" }, before, typed, spark),
  );
  const slider = html("input", {
    type: "range",
    min: taus[0] ?? -1,
    max: taus[last] ?? 1,
    step: evenStep(taus),
    "data-testid": "tau",
    "data-feature": about.name,
    "aria-label": `τ of ${about.name}`,
    "aria-description": [about.note_low, about.note_high].filter(Boolean).join(" ") || undefined,
  });
  const element = html(
    "div",
    { class: ofCategory ? "ts-row ts-level" : "ts-row" },
    head,
    typed.problem,
    slider,
    ...featureRemarks(about),
  );

  const withCurve = textWidth(WAS, ASIDE_TEXT) + boxWidth + GAP + sizes.sparkline.width;
  head.style.setProperty("--ts-aside", `${Math.ceil(Math.max(widest, withCurve))}px`);

  const width = (taus[last] as number) - (taus[0] as number) || 1;
  const along = (value: number) => String((value - (taus[0] as number)) / width);
  slider.style.setProperty("--ts-zero", along(0));

  let position = data.zero;
  const move = (tau: number, event: Event) => intend({ feature, tau }, event);
  const page = (direction: 1 | -1) => {
    const reached = nearestTau(taus, (taus[position] as number) + direction * PAGE);
    return reached === position ? position + direction : reached;
  };
  listen(slider, "input", signal, (event) => move(nearestTau(taus, slider.valueAsNumber), event));
  listen(slider, "dblclick", signal, (event) => move(data.zero, event));
  listenToKeys(slider, signal, (event) => {
    const next = keyTarget(event.key, position, last, data.zero, page);
    if (next === null) return false;
    move(next, event);
    return true;
  });
  listen(head, "click", signal, (event) => intend({ feature }, event));
  listen(element, "pointerenter", signal, () => point(feature));
  listen(element, "pointerleave", signal, () => point(null));

  const update = (tau: number, chosen: boolean) => {
    position = tau;
    const value = taus[tau] as number;
    const words = show(target[tau] as number);
    slider.value = String(value);
    slider.style.setProperty("--ts-to", along(value));
    slider.setAttribute("aria-valuetext", sliderWords(about, context.tau(value), words));
    setText(before, tau === data.zero ? "" : `${mean} → `);
    typed.show(words);
    element.classList.remove("ts-is-following");
    element.classList.toggle("ts-is-chosen", chosen);
    element.classList.toggle("ts-is-moved", tau !== data.zero);
  };
  const follow = (next: number | null) => {
    const follows = next !== null && !Number.isNaN(next);
    const words = sliderWords(about, context.tau(0), follows ? show(next) : mean);
    const remark = next === null ? "" : follows ? ", following" : " before";
    slider.setAttribute("aria-valuetext", words + remark);
    setText(before, next === null ? "" : follows ? `${mean} → ` : WAS);
    typed.show(follows ? show(next) : mean);
    element.classList.toggle("ts-is-following", follows);
  };
  return {
    element,
    /** @param tau position in the τ grid; τ = 0 for every feature but the chosen one */
    update,
    /** Another feature is moved: show the share that follows, or (NaN) that the mean is the one before; null if none is. */
    follow,
    draw: spark.draw,
  };
}
