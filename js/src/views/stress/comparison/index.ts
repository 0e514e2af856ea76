/** The widget of two models on the same rows: the kernel compares them under the stress that views share. */

import "./style.css";
import { finiteExtent } from "../../../marks/axis";
import { html, setAttributes, setText } from "../../../marks/element";
import { createIntervalTrack, trackScale } from "../../../marks/interval_track";
import { rowHead, tableHead } from "../../../marks/table";
import { quantityFormat, span } from "../../../theme/formats";
import {
  type ComparedMessage,
  type ComparedPairMessage,
  comparedMessage,
  type MetricMessage,
  type ModelComparisonMessage,
  type ModelComparisonViewTraits,
  modelComparisonMessage,
} from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { checkCount, unlessEmpty } from "../../../wire/schema";
import { isStressed, readStressOrNone, type Stress, sameStress } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { createFollowedHeader } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import type { Part } from "../../shared/part";
import { linkedHint } from "../../shared/population";
import { markTrust, NO_CAVEAT } from "../../shared/reliability";
import { markStressed, type StressShown, stressSentence } from "../../shared/stress_shown";
import { createTitledPanel } from "../../shared/title";
import { createView } from "../../shared/view";
import { barely, capitalize, intervalWords, rowsOf, type Sentence } from "../../shared/words";

/** Of both models in the population they were compared in; nothing as tested. */
interface State extends StressShown<ComparedMessage> {
  /** A line a metric. */
  readonly pairs: readonly ComparedPairMessage[];
}

/** What is shown: the models as tested, or under the stress that views share as far as the kernel has answered. */
function stateOf(message: ModelComparisonMessage, stress: Stress, compared: ComparedMessage | null): State {
  const asTested: State = { pairs: message.tested, now: null, late: false, problem: "" };
  if (!isStressed(stress) && (!compared || compared.error || isStressed(compared.stress))) return asTested;
  if (compared && sameStress(compared.stress, stress)) {
    return compared.error
      ? { ...asTested, problem: compared.error }
      : { pairs: compared.pairs, now: compared, late: false, problem: "" };
  }
  if (message.offline) return { ...asTested, problem: message.offline };
  return compared && !compared.error
    ? { pairs: compared.pairs, now: compared, late: true, problem: "" }
    : { ...asTested, late: true };
}

function populationSentence(state: State, nRows: number): Sentence {
  return stressSentence(state, nRows, {
    doing: "compares",
    first: "compares the models under the stress",
    instead: "Both models are shown as tested.",
  });
}

const SIDES = ["first", "second"] as const;

/** Whether the interval of a difference can be read; without one there is no verdict, not a negative one. */
function isJudged({ reliability, lower, upper }: ComparedPairMessage): boolean {
  return reliability !== "unreliable" && Number.isFinite(lower) && Number.isFinite(upper);
}

/** What is said of a difference: which model is better, or that the interval does not tell. */
function verdict(pair: ComparedPairMessage, names: readonly string[]): string {
  const { better, difference, lower, upper } = pair;
  if (!Number.isFinite(difference)) return "not defined";
  if (!isJudged(pair)) return "not judged";
  if (better >= 0) return `${names[better]} is better`;
  return lower > 0 || upper < 0 ? "they differ" : "not told apart";
}

function createKey(names: readonly string[]): HTMLElement {
  const entries = names.map((name, k) =>
    html("span", {}, html("i", { class: `ts-pair-swatch ts-is-${SIDES[k]}` }), name),
  );
  return html("p", { class: "ts-pair-key" }, ...entries);
}

function createRow(metric: MetricMessage, tested: ComparedPairMessage, message: ModelComparisonMessage) {
  const width = Math.max(span([tested.lower, tested.upper]), span([tested.first, tested.second]));
  const format = quantityFormat(metric.kind, width, 1);
  const bare = (value: number) => barely(format.change(value));
  let ends = finiteExtent([
    SIDES.flatMap((side) => [tested[side], tested[`${side}_lower`], tested[`${side}_upper`]]),
  ]);
  const lines = SIDES.map((side, k) => {
    const track = createIntervalTrack(side);
    const name = html("span", { class: "ts-hidden" }, `${message.names[k]}: `);
    const swatch = html("i", { class: `ts-pair-swatch ts-is-${side}`, "aria-hidden": "true" });
    const number = html("span", { "data-testid": side });
    const value = html("div", {}, swatch, name, number);
    return { side, track, number, value };
  });
  const gap = html("b");
  const interval = html("span", { class: "ts-quiet" });
  const difference = html("div", { "data-testid": "difference" }, gap, " ", interval);
  const said = html("div", { "data-testid": "verdict" });
  const cell = html("td", { class: "ts-number ts-pair-gap" }, difference, said);
  const element = html(
    "tr",
    { "data-testid": `pair-${metric.name}` },
    rowHead(capitalize(metric.label)),
    html(
      "td",
      { class: "ts-pair-tracks", "aria-hidden": "true" },
      ...lines.map(({ track }) => track.element),
    ),
    html("td", { class: "ts-number ts-pair-values" }, ...lines.map(({ value }) => value)),
    cell,
  );
  return {
    element,
    update(pair: ComparedPairMessage) {
      const known = SIDES.flatMap((side) => [pair[side], pair[`${side}_lower`], pair[`${side}_upper`]]);
      ends = finiteExtent([[...ends, ...known]]); // the scale never narrows again, so that nothing jumps back
      const at = trackScale(ends);
      for (const { side, track, value, number } of lines) {
        const [now, lower, upper] = [pair[side], pair[`${side}_lower`], pair[`${side}_upper`]];
        track.update({ value: now, lower, upper }, at);
        setText(number, format.value(now));
        value.title = intervalWords(format.value(lower), format.value(upper));
      }
      const there = Number.isFinite(pair.lower) && Number.isFinite(pair.upper);
      setText(gap, format.change(pair.difference));
      setText(interval, there ? `(${bare(pair.lower)} to ${bare(pair.upper)})` : "(no interval)");
      setText(said, verdict(pair, message.names));
      const level = LEVELS.indexOf(pair.reliability) as Level;
      markTrust(cell, level);
      said.classList.toggle("ts-quiet", pair.better < 0 || !isJudged(pair));
      setAttributes(cell, { title: pair.note || undefined });
    },
  };
}

/** The table: each metric of both models with its interval on one scale, and what one is less the other. */
function createRows(message: ModelComparisonMessage): Part<State> {
  const { metrics, names, confidence } = message;
  const rows = metrics.map((metric, k) =>
    createRow(metric, message.tested[k] as ComparedPairMessage, message),
  );
  const percent = (100 * confidence).toFixed(0);
  const table = html(
    "table",
    { class: "ts-pairs", "data-testid": "pairs" },
    tableHead(
      "metric",
      html("td", { class: "ts-pair-tracks", "aria-hidden": "true" }),
      "each model",
      `difference (${percent} % interval)`,
    ),
    html("tbody", {}, ...rows),
  );
  return {
    element: html("div", { class: "ts-pairs-holder" }, createKey(names), table),
    update({ pairs, late }) {
      table.classList.toggle("ts-is-stale", late);
      rows.forEach((row, k) => {
        const pair = pairs[k];
        if (pair) row.update(pair);
      });
    },
  };
}

/** Null where nothing was asked yet. */
function decodeCompared(value: unknown, { metrics }: ModelComparisonMessage): ComparedMessage | null {
  const message = unlessEmpty(comparedMessage)(value ?? {}, "compared");
  if (message && !message.error) checkCount("compared.pairs", message.pairs, metrics.length, "metrics");
  return message;
}

function announced(message: ModelComparisonMessage, state: State): string {
  const { strong, rest } = populationSentence(state, message.n_rows);
  if (state.late) return "";
  const told = state.pairs.flatMap((pair, k) =>
    pair.better >= 0 || !isJudged(pair)
      ? [`${message.metrics[k]?.label}: ${verdict(pair, message.names)}`]
      : [],
  );
  return `${capitalize(strong)}${rest}. ${told.join(". ") || "The models are not told apart"}.`;
}

const UNKNOWN = { ess: Number.NaN, tv: Number.NaN, kl: Number.NaN, pareto_k: Number.NaN };

/** The panel of two models: the population, the table, and what its intervals are. */
function createPanel(message: ModelComparisonMessage, signal: AbortSignal): Part<State> {
  const header = createFollowedHeader(message.n_rows, signal);
  const rows = createRows(message);
  const announcer = createAnnouncer(signal, (state: State) => announced(message, state));
  return {
    element: createTitledPanel(
      "ts-comparison-panel",
      message.title,
      `${rowsOf(message.n_rows)}, the same for both`,
      header,
      rows,
      html("p", { class: "ts-quiet ts-comparison-note" }, message.note),
      announcer,
    ),
    update(state, before) {
      const { now, late, problem } = state;
      markStressed(header, now !== null, late, problem);
      header.say(populationSentence(state, message.n_rows));
      header.measure(now ?? UNKNOWN, now ? null : linkedHint(message.offline === ""));
      header.judge(now ? { level: now.level, words: now.doubt } : NO_CAVEAT);
      rows.update(state, before);
      announcer.update(state, before);
    },
  };
}

export default createView<ModelComparisonViewTraits>({
  root: "ts-model-comparison",
  data: ["message"],
  awaited: "the comparison",
  shown: "This comparison",
  asksKernel: (traits) => modelComparisonMessage(traits.get("message"), "message").offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = modelComparisonMessage(traits.get("message"), "message");
    startLoop<ModelComparisonViewTraits, State>(stage, {
      choices: ["stress", "compared"],
      read: () =>
        stateOf(
          message,
          readStressOrNone(traits.get("stress")),
          decodeCompared(traits.get("compared"), message),
        ),
      write: () => {},
      createPanel: ({ signal }) => createPanel(message, signal),
    });
  },
});
