/** The panel of thresholds: the population, sliders, the curve, every metric, and what the intervals are. */

import { createButton, switchOff } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import { columnHead, rowHead } from "../../../marks/table";
import { type Formatter, type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import type { BestThresholdMessage, ThresholdsMessage } from "../../../wire/messages";
import { amountWords } from "../../shared/amounts";
import { createAnnouncer } from "../../shared/announcer";
import {
  createEstimate,
  createEstimateTable,
  createGroupRows,
  createNotes,
  showTrust,
} from "../../shared/estimates";
import { createFollowedHeader, showFollowed } from "../../shared/followed";
import type { Part } from "../../shared/part";
import { createStepSlider } from "../../shared/step_slider";
import { createTitledPanel } from "../../shared/title";
import { intervalWords, rowsOf } from "../../shared/words";
import { createChart } from "./chart";
import {
  bestTogether,
  cellOf,
  DOING,
  differenceOf,
  isEach,
  nearest,
  placeOf,
  readThreshold,
  type State,
} from "./state";

/** Thresholds that PageUp and PageDown take. */
const PAGE = 5;

interface SliderState {
  readonly thresholds: readonly number[];
  /** Place among them. */
  readonly at: number;
  readonly present: number | null;
  readonly best: BestThresholdMessage | null;
  /** What is said of the best one; "" for nothing. */
  readonly words: string;
  readonly write: Formatter;
}

/**
 * One threshold: a slider in the score's unit, a box to type in, and where the cost is least.
 *
 * @param go shows the threshold at a place
 */
function createThresholdSlider(name: string, signal: AbortSignal, go: (at: number, event: Event) => void) {
  let now: SliderState | null = null;
  const label = name ? `Threshold for ${name}` : "Threshold of the score";
  const steps = createStepSlider(signal, {
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
  });
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

function createLine(head: string, testid: string) {
  const trust = html("td", { class: "ts-trust" });
  const was = html("td", { class: "ts-number ts-was" });
  const now = createEstimate({ "data-testid": testid });
  const element = html("tr", {}, rowHead(head), was, now, trust);
  return { element, was, now, trust };
}

/** Every metric at the thresholds chosen: as tested, under the stress, and how far groups are apart. */
function createMetrics(
  message: ThresholdsMessage,
  formats: (state: State) => readonly QuantityFormat[],
): Part<State> {
  const table = createEstimateTable(message, {
    testid: "metrics",
    rows: message.metrics,
    heads: ["metric", columnHead("reliability")],
    createLine,
    isGap: () => true,
  });
  return {
    element: html("section", {}, html("h3", {}, "At this threshold"), table),
    update(state) {
      const every = formats(state);
      table.update(state);
      table.bodies.forEach(({ lines, gap }, j) => {
        const { value: write, bare, change } = every[j] as QuantityFormat;
        lines.forEach(({ was, now, trust }, group) => {
          const { before, value, lower, upper, level, why } = cellOf(state, group, j);
          setText(was, write(before));
          now.show(write(value), intervalWords(bare(lower), bare(upper)));
          now.judge(level);
          showTrust(trust, level, why);
        });
        gap?.update(differenceOf(state, j), change);
      });
    },
  };
}

export function createPanel(
  message: ThresholdsMessage,
  intend: (change: Partial<State>, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { title, n_rows, metrics, groups, present, costs, confidence, interval, notes, by, none_reaches } =
    message;
  const placeOfMetric = (sought: string) => metrics.findIndex(({ name }) => name === sought);
  const cost = placeOfMetric("cost");
  /** What most people ask first. */
  const first = Math.max(0, cost < 0 ? placeOfMetric("error_rate") : cost);
  let shown: State | null = null;
  let known: { readonly of: State["now"]; readonly formats: readonly QuantityFormat[] } | null = null;
  /** By the widths of intervals over all thresholds, so that decimals never jump. */
  const formats = ({ now }: State) => {
    if (known?.of !== now) {
      const every = metrics.map(({ kind }, j) => {
        const cells = now.thresholds.flatMap((_, t) => now.groups.map((_, g) => now.cell(g, t, j)));
        const widths = cells.map(({ lower, upper }) => upper - lower).filter((width) => width > 0);
        widths.sort((a, b) => a - b);
        return quantityFormat(kind, widths[widths.length >> 1] ?? span(cells.map(({ value }) => value)), 1);
      });
      known = { of: now, formats: every };
    }
    return known.formats;
  };
  const score = ({ now }: State) => quantityFormat("value", span(now.thresholds), 2);

  const go = (group: number, at: number, event: Event) => {
    if (!shown) return;
    const value = shown.now.thresholds[at] as number;
    const chosen = isEach(shown) ? shown.chosen.map((one, g) => (g === group ? value : one)) : [value];
    intend({ chosen, group }, event);
  };
  const header = createFollowedHeader(n_rows, signal);
  const each = html("input", { type: "checkbox", "data-testid": "each" });
  const all = createThresholdSlider("", signal, (at, event) => go(shown?.group ?? 0, at, event));
  const own =
    groups.length > 1
      ? groups.map((name, g) => createThresholdSlider(name, signal, (at, e) => go(g, at, e)))
      : [];
  listen(each, "change", signal, (event) => {
    if (!shown) return;
    const { now } = shown;
    const at = now.thresholds[placeOf(shown, shown.group)] as number;
    intend({ chosen: each.checked ? groups.map(() => at) : [at] }, event);
  });
  const everySlider = html("div", { class: "ts-own" }, ...own);
  const choice = html("label", { class: "ts-each" }, each, ` A threshold for each group of ${by}`);
  choice.hidden = own.length === 0;

  const words = (state: State, best: BestThresholdMessage | null, here: number, of = state.now.groups) => {
    if (!best) return "";
    const { value } = score(state);
    const at = nearest(state.now.thresholds, best.threshold);
    const above = of.every(({ n_reached }) => at >= n_reached) ? `, ${none_reaches}` : "";
    const money = formats(state)[cost]?.value ?? String;
    const ends = Number.isFinite(best.lower)
      ? ` (${value(best.lower)} – ${value(best.upper)} cannot be told from it, ${amountWords(confidence)})`
      : "";
    return `Least cost at ${value(best.threshold)}${above}${ends}: ${money(best.cost)} a row, here ${money(here)}.`;
  };
  const together = (state: State): BestThresholdMessage | null => {
    if (cost < 0) return null;
    if (groups.length === 1) return state.now.groups[0]?.best ?? null;
    const threshold = state.now.thresholds[bestTogether(state, cost)] as number;
    return {
      threshold,
      lower: Number.NaN,
      upper: Number.NaN,
      cost: costOfAll({ ...state, chosen: [threshold] }),
    };
  };
  const costOfAll = (state: State) =>
    state.now.groups.reduce(
      (sum, { share }, g) => sum + (share > 0 ? share * cellOf(state, g, cost).value : 0),
      0,
    );

  const chart = createChart(message, formats, score, intend, go, signal);
  const table = createMetrics(message, formats);
  const headline = html("p", { class: "ts-first-words", "data-testid": "headline" });
  const sentence = (state: State) => {
    const { value } = score(state);
    const told = state.now.groups.map(({ name }, g) => {
      const at = value(state.now.thresholds[placeOf(state, g)] as number);
      const cell = cellOf(state, g, first);
      const { value: write, bare } = formats(state)[first] as QuantityFormat;
      const before = state.now.moved ? `, as tested ${write(cell.before)}` : "";
      const of = name ? `${name} at ${at}` : `At ${at}`;
      return `${of}: ${metrics[first]?.label} ${write(cell.value)} (${bare(cell.lower)} – ${bare(cell.upper)})${before}`;
    });
    return `${told.join("; ")}.`;
  };
  const announcer = createAnnouncer(signal, sentence);
  const said = createNotes();
  said.show([...(costs ? [`Cost: ${costs}.`] : []), `Interval: ${interval}.`, ...notes]);
  const groupRows = createGroupRows(by, groups);
  return {
    element: createTitledPanel(
      "ts-estimates-panel ts-thresholds-panel",
      title,
      `${rowsOf(n_rows)}`,
      header,
      html("div", {}, choice, all, everySlider, headline, groupRows, chart),
      table,
      said,
      announcer,
    ),
    update(state, before) {
      shown = state;
      const { now } = state;
      showFollowed(header, state, message.offline, DOING);
      const apart = isEach(state);
      each.checked = apart;
      all.element.hidden = apart;
      everySlider.hidden = !apart;
      const slider = { thresholds: now.thresholds, present, write: score(state).value };
      if (apart) {
        now.groups.forEach((group, g) => {
          const { best } = group;
          const here = cost < 0 ? Number.NaN : cellOf(state, g, cost).value;
          own[g]?.update({
            ...slider,
            at: placeOf(state, g),
            best,
            words: words(state, best, here, [group]),
          });
        });
      } else {
        const best = together(state);
        const here = cost < 0 ? Number.NaN : costOfAll(state);
        all.update({ ...slider, at: placeOf(state, 0), best, words: words(state, best, here) });
      }
      setText(headline, sentence(state));
      groupRows.show(now.groups);
      chart.update(state, before);
      table.update(state, before);
      announcer.update(state, before);
    },
  };
}
