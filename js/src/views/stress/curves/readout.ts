/** The chosen metric: unstressed, now with its interval, and by how much it moved. */

import { html, setText } from "../../../marks/element";
import { createReservedText } from "../../../marks/reserved_text";
import type { MetricMessage } from "../../../wire/messages";
import { type Level, levelOf } from "../../../wire/reasons";
import { amountWords } from "../../shared/amounts";
import { longestWords, markLevel, reliabilityWords } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";
import type { JointEstimate } from "./joint_mark";
import type { State } from "./state";
import { atZero } from "./words";

function figures(suffix: string, zero: string) {
  const label = html("span", { class: "ts-quiet ts-of" });
  const baseline = html("b", { class: "ts-figure", "data-testid": `baseline${suffix}` });
  const value = html("b", { class: "ts-figure ts-accent", "data-testid": `value${suffix}` });
  const interval = html("span", { class: "ts-quiet ts-number", "data-testid": `interval${suffix}` });
  const change = html("b", { class: "ts-figure", "data-testid": `change${suffix}` });
  const besideName = html("span", { class: "ts-quiet" });
  const besideValue = html("b", { class: "ts-figure", "data-testid": `beside${suffix}` });
  const besideInterval = html("span", { class: "ts-quiet ts-number" });
  const at = html("span");
  const level = html("span", { class: "ts-when-wide" });
  const cell = (head: HTMLElement, ...children: HTMLElement[]) =>
    html("div", {}, head, html("div", { class: "ts-values" }, ...children));
  const quiet = (words: string) => html("span", { class: "ts-quiet" }, words);
  const tested = cell(quiet(zero), baseline);
  const moved = cell(quiet("change"), change);
  const beside = cell(besideName, besideValue, besideInterval);
  const element = html(
    "div",
    { class: "ts-figures" },
    label,
    tested,
    cell(html("span", { class: "ts-quiet" }, at, level), value, interval),
    moved,
    beside,
  );
  /** Nothing is moved: one number, no change. */
  const rest = (resting: boolean) => {
    tested.hidden = resting;
    moved.hidden = resting;
  };
  return {
    element,
    rest,
    label,
    baseline,
    value,
    interval,
    change,
    at,
    level,
    beside,
    besideName,
    besideValue,
    besideInterval,
  };
}

/** What a screen reader is told of it. */
export function spokenWords(context: Context, now: State): string {
  const { data, metric, measures } = context;
  const said = measures(now.metric).map((k) => {
    const curve = data.curve(now.feature, k);
    const { value, bare } = metric(k);
    const at = (values: Float32Array, write: typeof bare) => write(values[now.tau] as number);
    const bounds = intervalWords(at(curve.lower, bare), at(curve.upper, bare));
    const unstressed = value(curve.value[data.zero] as number);
    const { label } = data.message.metrics[k] as MetricMessage;
    return `${label} ${at(curve.value, value)}, interval ${bounds}, ${atZero(data.message.hold)} ${unstressed}.`;
  });
  const { level, words } = levelWords(context, now);
  if (level > 0) said.push(words.strong + words.rest);
  if (now.elsewhere) said.push(now.elsewhere);
  return said.join(" ");
}

/** Level and reason of what is shown, of two metrics the worse. */
function levelWords({ data, measures }: Context, { feature, metric, tau }: State) {
  const { message, zero } = data;
  const judged = measures(metric).map((k) => ({ ...data.judged(feature, k, tau), metric: k }));
  const level = (reason: number) => levelOf(message.reliability, reason);
  const worst = judged.reduce((a, b) => (level(b.reason) > level(a.reason) ? b : a));
  const events = message.metrics[worst.metric]?.events ?? [];
  return {
    level: (tau === zero ? 0 : level(worst.reason)) as Level,
    words: reliabilityWords(message.reliability, events, worst, tau !== zero, message.n_rows),
  };
}

/** @param exact the numbers at τ between two steps; null where those of the step are shown */
export function createReadout(
  context: Context,
  exact: (state: State) => readonly JointEstimate[] | null = () => null,
): Part {
  const { data, measures } = context;
  const { message, zero } = data;
  const percent = amountWords(message.confidence);
  const zeroWords = atZero(message.hold);
  const lines = [figures("", zeroWords), figures("-x", zeroWords)];
  for (const line of lines) setText(line.level, `, ${percent} interval`);
  const strong = html("b");
  const rest = html("span");
  const trust = html("p", { class: "ts-trust", "data-testid": "trust" }, strong, rest);
  const reserved = createReservedText(trust);
  reserved.reserve(longestWords(message.reliability, message.metrics));
  const words = html("p", { class: "ts-quiet" }, message.interval ? `Interval: ${message.interval}.` : "");
  const element = html("div", { class: "ts-readout" }, ...lines);

  return {
    element: html(
      "div",
      { class: "ts-readings" },
      element,
      html("div", { class: "ts-trust-line" }, words, reserved),
    ),
    update(state) {
      const { feature, metric, tau } = state;
      const shown = measures(metric);
      const between = exact(state);
      const moved = between ? (state.between as number) : (message.taus[tau] as number);
      lines.forEach((line, k) => {
        const measure = shown[k];
        line.element.hidden = measure === undefined;
        if (measure === undefined) return;
        const { value, bare, change } = context.metric(measure);
        const curve = data.curve(feature, measure);
        const before = curve.value[zero] as number;
        const now = between?.[k] ?? {
          value: curve.value[tau] as number,
          lower: curve.lower[tau] as number,
          upper: curve.upper[tau] as number,
        };
        const unmoved = moved === 0;
        line.label.hidden = shown.length === 1;
        setText(line.label, capitalize((message.metrics[measure] as MetricMessage).label));
        setText(line.baseline, value(before));
        line.rest(unmoved);
        // beside lines of groups
        const whose = state.by && "all rows, ";
        setText(line.at, whose + (unmoved ? zeroWords : `at τ = ${context.tau(moved)}`));
        setText(line.value, value(now.value));
        setText(line.interval, intervalWords(bare(now.lower), bare(now.upper)));
        setText(line.change, unmoved ? "none" : change(now.value - before));
        const other = data.beside?.(feature, measure);
        line.beside.hidden = !other;
        if (!other) return;
        setText(line.besideName, message.beside);
        setText(line.besideValue, value(other.value[tau] as number));
        setText(
          line.besideInterval,
          intervalWords(bare(other.lower[tau] as number), bare(other.upper[tau] as number)),
        );
      });
      const said = levelWords(context, state);
      setText(strong, said.words.strong);
      setText(rest, said.words.rest);
      markLevel(trust, said.level);
    },
  };
}
