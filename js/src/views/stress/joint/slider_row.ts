/** One feature's slider, with its mean before and after and the stretch that the others leave it. */

import { html, listen, setText } from "../../../marks/element";
import type { FeasibleRange } from "../../../solve/stress/ranges";
import type { ColumnMessage } from "../../../wire/messages";
import { tauOf, withTau } from "../../../wire/shared_stress";
import { featureRemarks, rowLabel } from "../../shared/feature_list";
import { listenToKeys } from "../../shared/keys";
import { keyTarget, PAGE } from "../../shared/slider_keys";
import { readTyped, typingHint } from "../../shared/typed_value";
import { createValueBox, valueWidths } from "../../shared/value_box";
import { sliderWords, valueLabel } from "../../shared/words";
import { type Context, targetAt, tauFor } from "./context";
import { positionOf, STEPS, type State, tauAt } from "./state";
import { isLimited, rangeWords } from "./words";

const LEAST_ASIDE = 80;

function sameRange(a: FeasibleRange | null, b: FeasibleRange | null): boolean {
  if (a?.kind === "range" && b?.kind === "range") return a.low === b.low && a.high === b.high;
  return a?.kind === b?.kind;
}

/** @param ofCategory whether the row stands under its column, and is named by its level alone */
export function createSliderRow(context: Context, feature: number, present: () => State, ofCategory = false) {
  const { intend, signal, tau: tauWords } = context;
  const about = context.features[feature] as ColumnMessage;
  const show = context.mean(feature).value;

  const mean = show(about.mean);
  const before = html("span", { class: "ts-number", hidden: true }, `${mean} → `);
  const [widest, boxWidth] = valueWidths(about, show);
  const typed = createValueBox(
    { label: valueLabel(about), hint: typingHint(about), width: boxWidth },
    signal,
    (text, event) => {
      const read = readTyped(text, about, show);
      if ("problem" in read) return read.problem;
      const tau = show(read.target) === mean ? 0 : tauFor(about, read.target);
      intend({ stress: withTau(present().stress, about.name, tau), feature }, event);
      return "";
    },
  );
  const now = typed.element;
  const aside = html("span", { class: "ts-aside" }, before, now);
  const head = html(
    "div",
    { class: "ts-row-head" },
    html("span", { class: "ts-feature", title: about.name }, rowLabel(about, ofCategory)),
    aside,
  );
  const slider = html("input", {
    type: "range",
    min: -1,
    max: 1,
    step: 2 / STEPS,
    "data-testid": "tau",
    "data-feature": about.name,
    "aria-label": `τ of ${about.name}`,
  });
  slider.style.setProperty("--ts-zero", "0.5");
  const below = html("span", { class: "ts-out ts-out-below", "aria-hidden": "true" });
  const above = html("span", { class: "ts-out ts-out-above", "aria-hidden": "true" });
  const rangeLine = html("p", { class: "ts-quiet ts-range", "data-testid": "range", hidden: true });
  const element = html(
    "div",
    { class: ofCategory ? "ts-row ts-level" : "ts-row" },
    head,
    typed.problem,
    html("div", { class: "ts-slider" }, slider, below, above),
    rangeLine,
    ...featureRemarks(about),
  );
  head.style.setProperty("--ts-aside", `${Math.ceil(Math.max(LEAST_ASIDE, widest))}px`);

  let position = positionOf(0);
  let shown = Number.NaN;
  let followed = "";
  let described = "";
  const say = (words: string, following: boolean) => {
    const spoken = sliderWords(about, tauWords(shown), words);
    slider.setAttribute("aria-valuetext", following ? `${spoken}, following the others` : spoken);
    before.hidden = words === mean && shown === 0;
    typed.show(words);
    element.classList.toggle("ts-is-following", following);
  };
  const move = (next: number, event: Event) =>
    intend({ stress: withTau(present().stress, about.name, tauAt(next)), feature }, event);
  listen(slider, "input", signal, (event) => move(positionOf(slider.valueAsNumber), event));
  listen(slider, "dblclick", signal, (event) => move(positionOf(0), event));
  listenToKeys(slider, signal, (event) => {
    const next = keyTarget(
      event.key,
      position,
      STEPS,
      positionOf(0),
      (direction) => position + (direction * PAGE * STEPS) / 2,
    );
    if (next === null) return false;
    move(next, event);
    return true;
  });
  listen(head, "click", signal, (event) => intend({ feature }, event));

  let marked: {
    readonly range: FeasibleRange | null;
    readonly tau: number;
    readonly chosen: boolean;
  } | null = null;
  const mark = (state: State) => {
    const range = context.range(feature);
    const tau = tauOf(state.stress, about.name);
    const chosen = state.feature === feature;
    const same = marked?.tau === tau && marked.chosen === chosen && sameRange(marked.range, range);
    marked = { range: range, tau, chosen };
    if (same) return;
    const limited = isLimited(range);
    const [low, high] = range?.kind === "range" ? [range.low, range.high] : [-1, 1];
    const outside = range?.kind === "none" || tau < low - 1e-6 || tau > high + 1e-6;
    below.style.setProperty("--ts-part", String(limited ? (low + 1) / 2 : 0));
    above.style.setProperty("--ts-part", String(limited ? (1 - high) / 2 : 0));
    element.classList.toggle("ts-is-outside", outside);
    const words = range && limited ? rangeWords(range, (at) => show(targetAt(about, at)), tauWords) : "";
    setText(rangeLine, words);
    rangeLine.hidden = words === "" || !(tau !== 0 || chosen);
    const said = [words, about.note_low, about.note_high].filter(Boolean).join(". ");
    if (said !== described) slider.setAttribute("aria-description", said);
    described = said;
  };
  return {
    element,
    /** The range that the others leave has become known, or is no more. */
    mark,
    update(state: State) {
      const tau = tauOf(state.stress, about.name);
      element.classList.toggle("ts-is-pointed", state.feature === feature);
      mark(state);
      if (tau === shown) return;
      shown = tau;
      position = positionOf(tau);
      followed = "";
      slider.value = String(tau);
      slider.style.setProperty("--ts-to", String((tau + 1) / 2));
      say(show(targetAt(about, tau)), false);
      element.classList.toggle("ts-is-chosen", tau !== 0);
    },
    /** Show the mean that the others have led the feature to while it is not moved itself; NaN where none is known. */
    follow(achieved: number, stale: boolean) {
      now.classList.toggle("ts-is-stale", stale && shown === 0);
      if (shown !== 0) return;
      const words = show(Number.isFinite(achieved) ? achieved : about.mean);
      if (words === followed) return;
      followed = words;
      say(words, words !== mean);
    },
  };
}
