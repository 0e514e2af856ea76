/** The chart of the chosen metric: curves over τ, or paths through the ROC plane. */

import { curveScene } from "../../../marks/curve_scene";
import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, showText } from "../../../marks/element";
import { createPlane } from "../../../marks/plane";
import type { Notes } from "../../../marks/plane_layers";
import { followWidth } from "../../../marks/resize";
import { rocScene } from "../../../marks/roc_scene";
import type { Scene, Series } from "../../../marks/scene";
import { textWidth } from "../../../marks/text_width";
import { count, isShare, paretoK } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { CurvesFeatureMessage, MetricMessage } from "../../../wire/messages";
import { LEVELS, levelOf } from "../../../wire/reasons";
import type { GroupCurve } from "../../../wire/stress/curves";
import { lineLabels, namedWords } from "../../shared/line_labels";
import type { Context, Part } from "./context";
import { type JointSource, jointMark, markTitle, signOf, WITHIN } from "./joint_mark";
import { rankFeatures } from "./ranking";
import { groupsOf, type State } from "./state";
import { atZero, type CurveEnds, chartWords, groupChartWords, groupLegend, legendWords } from "./words";

/** Rows of the table: every τ of a coarse grid, every n-th of a fine one. */
const TABLE_ROWS = 21;
const MOST_LINES = 8;

/** A line for each group, where groups are shown and have the metric; a feature's numbers otherwise. */
function groupSeries({ data, measures }: Context, state: State): Series[] | null {
  const groups = groupsOf(data, state);
  const { metrics, reliability, taus } = data.message;
  const names = measures(state.metric).map((k) => metrics[k]?.name ?? "");
  const { labels = [], metrics: there = [] } = state.many ?? {};
  if (!groups || names.some((name) => !there.includes(name))) return null;
  return labels.map((name, group) => {
    const [main, across] = names.map((metric) => groups.curve(group, metric) as GroupCurve);
    const levels = taus.map((_, t) =>
      Math.max(...[main, across].map((one) => levelOf(reliability, one?.judged(t).reason ?? 0))),
    );
    const { value, lower, upper } = main as GroupCurve;
    return across
      ? { name, x: across.value, y: value, levels }
      : { name, x: taus, y: value, lower, upper, levels };
  });
}

function featureSeries({ data, measures, levels: levelsOf }: Context, state: State): Series[] {
  const { features, taus } = data.message;
  const [main = 0, across] = measures(state.metric);
  const labels = lineLabels(features);
  return features.map(({ name }, feature) => {
    const label = labels[feature] as string;
    const { value, lower, upper } = data.curve(feature, main);
    const levels = levelsOf(feature, state.metric);
    const other = across === undefined && data.beside ? { beside: data.beside(feature, main).value } : {};
    return across === undefined
      ? { name, label, x: taus, y: value, lower, upper, levels, ...other }
      : { name, label, x: data.curve(feature, across).value, y: value, levels };
  });
}

function sceneOf(
  context: Context,
  state: State,
  series: readonly Series[],
  drawn: readonly number[],
  width: number,
  height?: number,
): Scene {
  const { data, measures, tau } = context;
  const { message, zero } = data;
  const [main, across] = measures(state.metric).map((k) => message.metrics[k] as MetricMessage);
  const yTitle = main?.label ?? "";
  const start = `τ = ${tau(message.taus[0] as number)}`;
  if (across) return rocScene(series, { width, height, zero, start, xTitle: across.label, yTitle, drawn });
  return curveScene(series, {
    width,
    height,
    taus: message.taus,
    zero,
    kind: main?.kind ?? "value",
    base: data.curve(state.feature, context.measures(state.metric)[0] ?? 0).value[zero] as number,
    yTitle,
    drawn,
  });
}

/** The chosen feature's mean under each tick of the τ axis, as many as fit. */
function targetNotes({ data, target }: Context, { feature }: State, scene: Scene): Notes {
  if (!scene.cursor) return { title: "", words: [] };
  const targets = data.population(feature).target;
  const notes = scene.xTicks.map(({ at }) => {
    const t = scene.tauAt(feature, { x: at, y: 0 });
    return target(feature).value(targets[t] as number);
  });
  const widest = Math.max(...notes.map((note) => textWidth(note, sizes.text))) + 10;
  const room = (scene.frame.right - scene.frame.left) / Math.max(1, notes.length - 1);
  const title = isShare(data.message.features[feature] as CurvesFeatureMessage) ? "share" : "mean";
  return { title, words: widest <= room ? notes : notes.map((note, k) => (k % 2 === 0 ? note : "")) };
}

function summaryOf(
  { data, metric, measures, tau }: Context,
  { feature, metric: choice }: State,
  drawn: number,
): string {
  const { features, hold, metrics, taus } = data.message;
  const curves = measures(choice).map((k) => {
    const { value } = data.curve(feature, k);
    const [low, unstressed, high] = [value[0], value[data.zero], value.at(-1)].map((v) =>
      metric(k).value(v as number),
    );
    return { metric: (metrics[k] as MetricMessage).label, low, unstressed, high } as CurveEnds;
  });
  const name = (features[feature] as CurvesFeatureMessage).name;
  const ends = [tau(taus[0] as number), tau(taus.at(-1) as number)] as const;
  return chartWords(name, [drawn, features.length], curves, ends, atZero(hold));
}

/** The chosen feature and those that move the metric most, in the order of the message. */
function drawnFeatures(ranking: readonly number[], chosen: number): number[] {
  const others = ranking.filter((feature) => feature !== chosen).slice(0, MOST_LINES - 1);
  const first = ranking.slice(0, MOST_LINES);
  return (first.includes(chosen) ? first : [...others, chosen]).sort((a, b) => a - b);
}

/** Every group along τ, and the gap between them. */
function groupTable(context: Context, state: State, lines: readonly Series[]): TableContent {
  const { data, measures, metric, tau } = context;
  const { features, metrics, taus } = data.message;
  const [main = 0] = measures(state.metric);
  const { label, name } = metrics[main] as MetricMessage;
  const groups = groupsOf(data, state);
  const { value, change } = metric(main);
  const every = Math.max(1, Math.round((taus.length - 1) / (TABLE_ROWS - 1)));
  const bounds = lines.map((_, group) => groups?.curve(group, name) as GroupCurve);
  return {
    caption: `${label} by ${state.by} under ${state.shift} shift of ${features[state.feature]?.name}`,
    columns: ["τ", ...lines.flatMap((line) => [line.name, "lower", "upper"]), "gap", "lower", "upper"],
    rows: taus
      .map((at, t) => {
        const gap = groups?.gap(name, t)?.gap ?? [Number.NaN, Number.NaN, Number.NaN];
        const figures = bounds.flatMap((one) =>
          [one.value, one.lower, one.upper].map((row) => value(row[t] as number)),
        );
        return [tau(at), ...figures, ...gap.map(change)];
      })
      .filter((_, t) => (t - data.zero) % every === 0),
  };
}

function tableOf(context: Context, state: State): TableContent {
  const { data, metric, measures, target, tau } = context;
  const { features, metrics, taus } = data.message;
  const { feature } = state;
  const name = (features[feature] as CurvesFeatureMessage).name;
  const population = data.population(feature);
  const shown = measures(state.metric);
  const every = Math.max(1, Math.round((taus.length - 1) / (TABLE_ROWS - 1)));
  return {
    caption: `${shown.map((k) => metrics[k]?.label).join(", ")} under stress of ${name}`,
    columns: [
      "τ",
      name,
      ...shown.flatMap((k) => [metrics[k]?.label ?? "", "lower", "upper", "reliability"]),
      ...(data.beside ? shown.flatMap(() => [data.message.beside, "lower", "upper"]) : []),
      "effective sample",
      "Pareto k̂",
    ],
    rows: taus
      .map((value, t) => [
        tau(value),
        target(feature).value(population.target[t] as number),
        ...shown.flatMap((k) => {
          const { value: now, lower, upper } = data.curve(feature, k);
          const figures = [now, lower, upper].map((row) => metric(k).value(row[t] as number));
          return [...figures, LEVELS[levelOf(data.message.reliability, data.judged(feature, k, t).reason)]];
        }),
        ...(data.beside
          ? shown.flatMap((k) => {
              const other = data.beside?.(feature, k);
              return other
                ? [other.value, other.lower, other.upper].map((row) => metric(k).value(row[t] as number))
                : [];
            })
          : []),
        count(population.ess[t] as number),
        paretoK(population.pareto_k[t] as number),
      ])
      .filter((_, t) => (t - data.zero) % every === 0),
  };
}

function groupSummary(
  { data, measures, metric, tau }: Context,
  state: State,
  lines: readonly Series[],
): string {
  const { features, metrics, taus } = data.message;
  const [main = 0] = measures(state.metric);
  const ends = lines.map(({ name, y }) => {
    const [low, unstressed, high] = [y[0], y[data.zero], y[y.length - 1]].map((v) =>
      metric(main).value(v as number),
    );
    return { metric: name, low, unstressed, high } as CurveEnds;
  });
  const [first = 0, last = 0] = [taus[0], taus.at(-1)];
  const label = measures(state.metric).map((k) => metrics[k]?.label);
  return groupChartWords(label.join(" against "), state, features[state.feature]?.name ?? "", ends, [
    tau(first),
    tau(last),
  ]);
}

/** Whether other lines are to be drawn than were. */
function regrouped(next: State, before: State, grouped: boolean): boolean {
  if (next.by === "" && before.by === "") return false;
  const same = next.by === before.by && next.shift === before.shift && next.many === before.many;
  return !same || ((grouped || next.by !== "") && next.feature !== before.feature);
}

export interface Chart extends Part {
  highlight(feature: number | null): void;
  /** The sign that the joint answer has: an arrow where it lies beyond an axis. */
  sign(): string;
}

/** @param height by default after the width */
export function createChart(context: Context, height?: number, source?: JointSource): Chart {
  const { intend, point, signal } = context;
  let state: State | null = null;
  let scene: Scene | null = null;
  let width = 0;
  let lines: Series[] | null = null; // of groups, where these are drawn
  const legend = html("p", { class: "ts-quiet ts-lines", "data-testid": "legend" });
  const plane = createPlane(signal, {
    tau: (tau, event) => intend({ tau }, event),
    feature: (line, event) => intend(lines ? { group: line } : { feature: line }, event),
    point: (line) => (lines ? plane.highlight(line) : point(line)),
  });
  const table = createDataTable("The curve as a table", signal, () => {
    if (!state) return { caption: "", columns: [], rows: [] };
    return lines ? groupTable(context, state, lines) : tableOf(context, state);
  });
  const element = html("div", { class: "ts-chart" }, plane, legend, table);

  const { features, beside: other } = context.data.message;
  const groupsLegend = (next: State, shown: Scene, n: number) => {
    const words = groupLegend(next, features[next.feature]?.name ?? "");
    return `${words} ${namedWords(shown, next.group, n)}`.trim();
  };
  const featuresLegend = ({ metric }: State, { drawn, envelope }: Scene) => {
    const words = legendWords(drawn.length, features.length, envelope !== "");
    const dashed = other && metric !== "roc" ? `Dashed: ${other}, of the chosen feature.` : "";
    return `${dashed} ${words}`.trim();
  };
  const choose = (next: State, shown: Scene) => {
    const notes =
      lines && next.shift === "within" ? { title: "", words: [] } : targetNotes(context, next, shown);
    const words = lines ? groupSummary(context, next, lines) : summaryOf(context, next, shown.drawn.length);
    plane.choose(lines ? next.group : next.feature, notes, words);
    plane.mark(next.tau);
    table.refresh();
    showText(legend, lines ? groupsLegend(next, shown, lines.length) : featuresLegend(next, shown));
  };
  let sign = WITHIN;
  const beside = (next: State) => {
    const mark = lines ? null : jointMark(context, next, source);
    const [main, across] = mark?.estimates ?? [];
    if (!mark || !main) {
      plane.beside(null);
      return;
    }
    const words = markTitle(context, next, mark);
    const placed = across
      ? plane.beside({ x: across.value, y: main.value, level: Math.max(main.level, across.level), words })
      : plane.beside({
          x: mark.tau,
          y: main.value,
          lower: main.lower,
          upper: main.upper,
          level: main.level,
          words,
        });
    sign = signOf(placed?.beyond);
  };
  const rebuild = (next: State) => {
    lines = groupSeries(context, next);
    const ranking = rankFeatures(context.data, context.measures(next.metric), next.rankBy);
    const drawn = lines ? [...lines.keys()] : drawnFeatures(ranking, next.feature);
    scene = sceneOf(context, next, lines ?? featureSeries(context, next), drawn, width, height);
    plane.show(scene);
    choose(next, scene);
  };
  followWidth(plane.element, signal, (measured) => {
    if (measured === width) return;
    width = measured;
    if (!state) return;
    rebuild(state);
    beside(state);
  });

  return {
    element,
    update(next, before) {
      state = next;
      if (!before) width = plane.element.clientWidth || sizes.chart.fallbackWidth;
      if (!scene || next.metric !== before?.metric || regrouped(next, before, lines !== null)) rebuild(next);
      else if (lines) {
        if (next.group !== before.group) choose(next, scene);
        else if (next.tau !== before.tau) plane.mark(next.tau);
      } else if (next.rankBy !== before.rankBy || !scene.drawn.includes(next.feature)) rebuild(next);
      else if (next.feature !== before.feature) choose(next, scene);
      else if (next.tau !== before.tau) plane.mark(next.tau);
      beside(next);
    },
    highlight: (feature) => {
      if (!lines) plane.highlight(feature);
    },
    sign: () => sign,
  };
}
