/** The parts of the panel in their places, updated together. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, reconcile, setText } from "../../../marks/element";
import { binWords, createHistogram, openWords } from "../../../marks/histogram";
import { followWidth } from "../../../marks/resize";
import { createShareBars } from "../../../marks/share_bars";
import { columnHead, rowHead, tableHead } from "../../../marks/table";
import { count, featureFormat, quantityFormat, span } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import { mapValues } from "../../../wire/buffers";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import type { StressCurves } from "../../../wire/stress/curves";
import { createAnnouncer } from "../../shared/announcer";
import { grouped, inNextFrame } from "../../shared/part";
import { createPopulationHeader } from "../../shared/population";
import { judgePopulation, markNumber } from "../../shared/reliability";
import { createTitle } from "../../shared/title";
import { capitalize, counted, intervalWords, rowsOf, type Sentence } from "../../shared/words";
import { createChart } from "./chart";
import { type Context, createContext, type Part } from "./context";
import { createElsewhere } from "./elsewhere";
import { createFeatureList } from "./feature_list";
import { firstWords } from "./first_look";
import { createGroupPicker, createGroups } from "./groups";
import { createCurvePicker } from "./metric_picker";
import { createReadout, spokenWords } from "./readout";
import type { State } from "./state";
import { atZero, populationWords } from "./words";

/** The chosen feature itself, before and after: a histogram, or two bars for a share. */
function createDistribution(context: Context): Part {
  const { data, signal, target } = context;
  const { features } = data.message;
  const histogram = createHistogram();
  const shares = createShareBars();
  const title = html("h3");
  const picture = html("div", { class: "ts-distribution" }, histogram, shares);
  let state: State | null = null;
  let width = 0;

  const about = ({ feature }: State) => features[feature] as CurvesFeatureMessage;
  const drawn = (now: State) => about(now).edges.length > 1;
  const bins = (now: State) => ({ edges: about(now).edges, open: about(now).open_ends });
  const means = ({ feature, tau }: State) => {
    const values = data.population(feature).target;
    return [values[data.zero] as number, values[tau] as number] as const;
  };

  const content = (): TableContent => {
    if (!state) return { caption: "", columns: [], rows: [] };
    const { edges, name } = about(state);
    const edge = featureFormat(about(state), span(edges)).value;
    const share = quantityFormat("share", 0).value;
    const shown = bins(state);
    const before = data.histogram(state.feature, data.zero);
    const after = data.histogram(state.feature, state.tau);
    return {
      caption: `${name}: share of rows before and after`,
      columns: [name, "before", "after"],
      rows: Array.from(before, (rows, b) => [
        binWords(shown, b, edge),
        share(rows),
        share(after[b] as number),
      ]),
    };
  };
  const table = createDataTable("The histogram as a table", signal, content);

  const show = (now: State) => {
    const { name } = about(now);
    const [mean] = means(now);
    const words = target(now.feature).value(mean);
    setText(title, `${name}, before and after`);
    picture.classList.toggle("ts-of-share", !drawn(now));
    table.element.hidden = !drawn(now);
    if (drawn(now)) {
      const summary = `Histogram of ${name}: grey bars for the data, a line for the population shown. Mean of the data ${words}.${openWords(bins(now), target(now.feature).value)}`;
      histogram.show(width, bins(now), data.histogram(now.feature, data.zero), mean, summary);
    } else shares.show(mean, words);
  };
  const mark = (now: State) => {
    const [, mean] = means(now);
    if (drawn(now)) histogram.mark(data.histogram(now.feature, now.tau), mean);
    else shares.mark(mean, target(now.feature).value(mean));
    table.refresh();
  };
  followWidth(picture, signal, (measured) => {
    if (measured === width || !state) return;
    width = measured;
    show(state);
    mark(state);
  });

  return {
    element: html("section", { class: "ts-before-after" }, title, picture, table),
    update(next, before) {
      state = next;
      if (!before) width = picture.clientWidth || sizes.histogram.fallbackWidth;
      if (next.feature !== before?.feature) show(next);
      if (next.feature !== before?.feature || next.tau !== before.tau) mark(next);
    },
  };
}

const MOST_ROWS = 12;

/** Every metric under the one stress, so that a gain here is seen beside a loss there. */
function createMetricTable(context: Context): Part {
  const { data, metric, measures } = context;
  const { metrics } = data.message;
  const zero = atZero(data.message.hold);
  const rows = metrics.slice(0, MOST_ROWS).map(({ label }) => {
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const cell = html("td", { class: "ts-number" }, before, value, interval);
    const element = html("tr", {}, rowHead(capitalize(label)), cell);
    return { element, cell, before, value, interval };
  });
  const numbersHead = columnHead(`${zero} → now`);
  const table = html(
    "table",
    { class: "ts-metrics" },
    tableHead("metric", numbersHead),
    html("tbody", {}, ...rows),
  );
  const element = html("section", { class: "ts-all-metrics" }, html("h3", {}, "All metrics"), table);
  if (metrics.length > MOST_ROWS) {
    const left = `+ ${metrics.length - MOST_ROWS} more in the picker`;
    element.append(html("p", { class: "ts-quiet" }, left));
  }
  return {
    element,
    update(next, before) {
      const shown = measures(next.metric);
      if (next.metric !== before?.metric) {
        rows.forEach(({ element: row }, k) => {
          row.classList.toggle("ts-is-chosen", shown.includes(k));
        });
      }
      if (next.tau === before?.tau && next.feature === before.feature) return;
      setText(numbersHead, next.tau === data.zero ? zero : `${zero} → now`);
      rows.forEach((row, k) => {
        const { bare, pair } = metric(k);
        const curve = data.curve(next.feature, k);
        const at = (values: Float32Array) => bare(values[next.tau] as number);
        const [before, now] = pair(curve.value[data.zero] as number, curve.value[next.tau] as number);
        setText(row.before, next.tau === data.zero ? "" : `${before} → `);
        setText(row.value, now);
        setText(row.interval, intervalWords(at(curve.lower), at(curve.upper)));
        row.value.classList.toggle("ts-accent", next.tau !== data.zero);
        const judged = data.judged(next.feature, k, next.tau);
        markNumber(row.cell, data.message.reliability, metrics[k]?.events ?? [], judged);
      });
    },
  };
}

/** The population in words and how far it was moved, before any chart. */
function createPopulationLine(context: Context): Part {
  const { data, intend, measures, signal, target } = context;
  const { message, zero } = data;
  const header = createPopulationHeader(message.n_rows, signal, (event) => intend({ tau: zero }, event));
  let first = "";
  const rows = count(message.n_rows);
  const say = (feature: number, tau: number, stressed: boolean): Sentence => {
    const means = data.population(feature).target;
    const [before, now] = [means[zero], means[tau]].map((mean) => target(feature).value(mean as number));
    const about = message.features[feature] as CurvesFeatureMessage;
    return populationWords(about, before as string, now as string, stressed, rows, message.hold);
  };
  const length = ({ strong, rest }: Sentence) => strong.length + rest.length;
  const reserve = (feature: number) => {
    const ends = [0, message.taus.length - 1].map((t) => say(feature, t, true));
    header.reserve(ends.reduce((a, b) => (length(b) > length(a) ? b : a)));
  };
  return {
    element: header.element,
    update({ feature, metric, tau }, from) {
      if (feature !== from?.feature) reserve(feature);
      const here = mapValues(data.population(feature), (values) => values[tau] as number);
      header.element.classList.toggle("ts-is-stressed", tau !== zero);
      if (feature !== from?.feature || metric !== from.metric)
        first = firstWords(context, feature, measures(metric)[0] ?? 0);
      header.say(say(feature, tau, tau !== zero));
      header.measure(here, tau === zero ? first || null : null);
      const carriers = { n: here.n_carriers, share: here.carried };
      header.judge(judgePopulation(message.reliability, here.ess, carriers));
    },
  };
}

/** From here on the sliders stand left of the chart, and come before it for keys too. */
const WIDE = 640;

export function createPanel(data: StressCurves, actions: Pick<Context, "signal" | "intend">): Part {
  const context = createContext(data, {
    ...actions,
    point: (feature) => {
      list.highlight(feature);
      chart.highlight(feature);
    },
  });
  const population = createPopulationLine(context);
  const elsewhere = createElsewhere();
  population.element.append(elsewhere.element);
  const picker = createCurvePicker(context);
  const readout = createReadout(context);
  const chart = createChart(context);
  const grouping = createGroupPicker(context);
  const groups = createGroups(context);
  const list = createFeatureList(context);
  const distribution = inNextFrame(createDistribution(context), actions.signal);
  const metrics = inNextFrame(createMetricTable(context), actions.signal);
  const announcer = createAnnouncer(actions.signal, (state: State) => spokenWords(context, state));
  const { message } = data;
  const columns = new Set(message.features.map(({ column }) => column)).size;
  const wide = columns === message.features.length ? "feature" : "column";
  const size = `${rowsOf(message.n_rows)} · ${counted(columns, wide)}`;
  const main = grouped("section", { class: "ts-main" }, picker, grouping, readout, chart, groups);
  const below = [distribution, metrics, announcer];
  const parts: readonly Part[] = [population, elsewhere, list, main, ...below];
  const title = createTitle(message.title || "Stress curves", size);
  const element = html("div", { class: "ts-panel" });
  const arrange = (width: number) => {
    const both = width < WIDE ? [main, list] : [list, main];
    reconcile(element, [title, ...[population, ...both, ...below].map((part) => part.element)]);
  };
  arrange(0);
  followWidth(element, actions.signal, arrange);
  return {
    element,
    update(next, before) {
      for (const part of parts) part.update(next, before);
    },
  };
}
