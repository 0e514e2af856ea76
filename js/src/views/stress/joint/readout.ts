/** The chosen metric large: unstressed, now with its interval, by how much it moved, and whether to believe it. */

import { html, setText } from "../../../marks/element";
import type { OutcomeMetricMessage } from "../../../wire/messages";
import { type Level, levelOf } from "../../../wire/reasons";
import { isStressed } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";
import { amountWords } from "../../shared/amounts";
import { createMetricPicker } from "../../shared/metric_picker";
import { markLevel, reliabilityWords } from "../../shared/reliability";
import { intervalWords } from "../../shared/words";
import type { Answer } from "./answers";
import type { Context, Part, View } from "./context";

/** What a screen reader is told of it; "" while there is no number. */
export function spokenWords({ data, metric: formats, metrics }: Context, { state, answer }: View): string {
  if (answer.reason || answer.stale) return "";
  const { value, bare } = formats(state.metric);
  const now = answer.estimate(state.metric);
  const bounds = intervalWords(bare(now.lower), bare(now.upper));
  const unstressed = value(data.message.unstressed[state.metric]?.value ?? Number.NaN);
  const { label } = metrics[state.metric] as OutcomeMetricMessage;
  const { strong, rest, level } = levelWords(data, answer, state.metric);
  const trust = level > 0 ? ` ${strong}${rest}` : "";
  return `${label} ${value(now.value)}, interval ${bounds}, as tested ${unstressed}.${trust}`;
}

/** Level and reason of a metric, or that there is no number. */
function levelWords({ message, columns }: JointStress, answer: Answer, metric: number) {
  const level: Level = 2;
  if (answer.reason !== "" && !answer.stale)
    return { strong: "No number:", rest: " there is no such population on these rows.", level };
  const { reason, amount } = answer.estimate(metric);
  const stressed = isStressed(answer.stress);
  const events = message.outcomes.metrics[metric]?.events ?? [];
  const judged = { reason, amount };
  const said = reliabilityWords(message.reliability, events, judged, stressed, columns.message.n_rows);
  return { ...said, level: stressed ? levelOf(message.reliability, reason) : (0 as Level) };
}

export function createReadout({ data, metric: formats, metrics, intend, signal }: Context): Part {
  const picker = createMetricPicker(metrics, signal, (metric, event) => intend({ metric }, event));
  const baseline = html("b", { class: "ts-figure", "data-testid": "baseline" });
  const value = html("b", { class: "ts-figure ts-accent", "data-testid": "value" });
  const interval = html("span", { class: "ts-quiet ts-number", "data-testid": "interval" });
  const change = html("b", { class: "ts-figure", "data-testid": "change" });
  const percent = amountWords(data.message.confidence);
  const level = html("span", { class: "ts-when-wide" }, `, ${percent} interval`);
  const quiet = (...words: (string | Node)[]) => html("span", { class: "ts-quiet" }, ...words);
  const cell = (head: HTMLElement, ...children: HTMLElement[]) =>
    html("div", {}, head, html("div", { class: "ts-values" }, ...children));
  const changed = cell(quiet("change"), change);
  const tested = cell(quiet("as tested"), baseline);
  const when = html("span");
  const figures = html(
    "div",
    { class: "ts-figures" },
    tested,
    cell(quiet(when, level), value, interval),
    changed,
  );
  const strong = html("b");
  const rest = html("span");
  const trust = html("p", { class: "ts-trust", "data-testid": "trust" }, strong, rest);
  const words = html("p", { class: "ts-quiet" }, `Interval: ${data.message.interval}.`);

  return {
    element: html(
      "div",
      { class: "ts-readout" },
      picker,
      figures,
      html("div", { class: "ts-trust-line" }, words, trust),
    ),
    update({ state, answer }) {
      const { value: show, bare, change: difference } = formats(state.metric);
      const now = answer.estimate(state.metric);
      const before = data.message.unstressed[state.metric]?.value ?? Number.NaN;
      const none = answer.reason !== "" && !answer.stale;
      const stressed = isStressed(answer.stress);
      picker.selectedIndex = state.metric;
      setText(baseline, show(before));
      setText(value, none ? "none" : show(now.value));
      setText(interval, none ? "" : intervalWords(bare(now.lower), bare(now.upper)));
      setText(change, none ? "–" : stressed ? difference(now.value - before) : "none");
      // nothing is moved: one number, no change
      const resting = !isStressed(state.stress);
      tested.hidden = changed.hidden = resting;
      setText(when, resting ? "as tested" : "now");
      figures.classList.toggle("ts-is-stale", answer.stale);
      const said = levelWords(data, answer, state.metric);
      setText(strong, said.strong);
      setText(rest, said.rest);
      markLevel(trust, said.level);
    },
  };
}
