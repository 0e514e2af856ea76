/** One feature's slider, with its mean, its curve in small, and what τ cannot mean for it. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { createSparkline } from "../../../marks/sparkline";
import { textWidth } from "../../../marks/text_width";
import type { FeatureMessage } from "../../../wire/stress/curves";
import { featureRemarks } from "../../shared/feature_list";
import { keyTarget } from "../../shared/slider_keys";
import { sliderWords } from "../../shared/words";
import type { Context } from "./context";
import { nearestTau } from "./state";

const ASIDE_TEXT = 13;
const LEAST_ASIDE = 104;

export interface FeatureRow {
  readonly element: HTMLElement;
  /** @param tau position in the τ grid; τ = 0 for every feature but the chosen one */
  update(tau: number, chosen: boolean): void;
  draw(values: ArrayLike<number>, domain: readonly [number, number]): void;
}

function evenStep(taus: readonly number[]): number | "any" {
  const step = ((taus.at(-1) as number) - (taus[0] as number)) / Math.max(1, taus.length - 1);
  const even = taus.every((tau, t) => Math.abs(tau - ((taus[0] as number) + t * step)) < 1e-9);
  return even ? Number(step.toPrecision(12)) : "any";
}

/** Room for the widest "before → after", so that nothing shifts when the slider moves. */
function asideWidth({ data, target }: Context, feature: number): number {
  const show = target(feature).value;
  const means = data.population(feature).target;
  const before = show(means[data.zero] as number);
  const widest = [means[0], means.at(-1)].map((mean) => textWidth(` → ${show(mean as number)}`, ASIDE_TEXT));
  return Math.ceil(Math.max(LEAST_ASIDE, textWidth(before, ASIDE_TEXT) + Math.max(...widest)));
}

export function createFeatureRow(context: Context, feature: number): FeatureRow {
  const { data, intend, point, signal } = context;
  const { taus } = data.message;
  const about = data.message.features[feature] as FeatureMessage;
  const show = context.target(feature).value;
  const { target } = data.population(feature);
  const last = taus.length - 1;

  const before = html("span", {}, show(target[data.zero] as number));
  const now = html("span", { class: "ts-now" });
  const spark = createSparkline();
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature", title: about.name }, about.name),
    html("span", { class: "ts-aside" }, html("span", { class: "ts-number" }, before, now), spark.element),
  );
  const slider = html("input", {
    type: "range",
    min: taus[0] ?? -1,
    max: taus[last] ?? 1,
    step: evenStep(taus),
    "data-testid": "tau",
    "data-feature": about.name,
    ...OWN_KEYS,
    "aria-label": `τ of ${about.name}`,
    "aria-description": [about.note_low, about.note_high].filter(Boolean).join(" ") || undefined,
  });
  const element = html("div", { class: "ts-row" }, head, slider, ...featureRemarks(about));

  head.style.setProperty("--ts-aside", `${asideWidth(context, feature)}px`);

  const width = (taus[last] as number) - (taus[0] as number) || 1;
  const along = (value: number) => String((value - (taus[0] as number)) / width);
  slider.style.setProperty("--ts-zero", along(0));

  let position = data.zero;
  const move = (tau: number, event: Event) => intend({ feature, tau }, event);
  slider.addEventListener("input", (event) => move(nearestTau(taus, slider.valueAsNumber), event), {
    signal,
  });
  slider.addEventListener("dblclick", (event) => move(data.zero, event), { signal });
  slider.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const next = keyTarget(event.key, position, last, data.zero);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      move(next, event);
    },
    { signal },
  );
  head.addEventListener("click", (event) => intend({ feature }, event), { signal });
  element.addEventListener("pointerenter", () => point(feature), { signal });
  element.addEventListener("pointerleave", () => point(null), { signal });

  const update = (tau: number, chosen: boolean) => {
    position = tau;
    const value = taus[tau] as number;
    const words = show(target[tau] as number);
    slider.value = String(value);
    slider.style.setProperty("--ts-to", along(value));
    slider.setAttribute("aria-valuetext", sliderWords(about, context.tau(value), words));
    setText(now, tau === data.zero ? "" : ` → ${words}`);
    element.classList.toggle("ts-is-chosen", chosen);
    element.classList.toggle("ts-is-moved", tau !== data.zero);
  };
  return { element, update, draw: spark.draw };
}
