/** The curve of a metric over thresholds: as tested grey, under the stress in front with its interval. */

import { curveScene } from "../../../marks/curve_scene";
import { html, setText } from "../../../marks/element";
import { createPlane } from "../../../marks/plane";
import { followWidth } from "../../../marks/resize";
import type { Scene, Series } from "../../../marks/scene";
import type { QuantityFormat } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { MetricMessage, ThresholdsMessage } from "../../../wire/messages";
import { namedWords } from "../../shared/line_labels";
import { createMetricPicker } from "../../shared/metric_picker";
import type { Part } from "../../shared/part";
import { capitalize } from "../../shared/words";
import { cellOf, nearest, placeOf, type State } from "./state";

const MOST_LINES = 8;
const HEIGHT = 270;

function seriesOf({ now, metric }: State): Series[] {
  return now.groups.map(({ name }, group) => {
    const cells = now.thresholds.map((_, t) => now.cell(group, t, metric));
    const column = (field: "before" | "value" | "lower" | "upper") => cells.map((cell) => cell[field]);
    return {
      name: name || (now.moved ? "under the stress" : "as tested"),
      label: name,
      x: now.thresholds,
      y: column("value"),
      lower: column("lower"),
      upper: column("upper"),
      levels: cells.map(({ level }) => level),
      ...(now.moved && { beside: column("before") }),
    };
  });
}

export function createChart(
  message: ThresholdsMessage,
  formats: (state: State) => readonly QuantityFormat[],
  score: (state: State) => QuantityFormat,
  intend: (change: Partial<State>, event: Event) => void,
  go: (group: number, at: number, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { metrics, present, by } = message;
  const cost = metrics.findIndex(({ name }) => name === "cost");
  let state: State | null = null;
  let scene: Scene | null = null;
  let width = 0;
  const picker = createMetricPicker(metrics, signal, (metric, event) => intend({ metric }, event));
  const plane = createPlane(signal, {
    tau: (at, event) => state && go(state.group, at, event),
    feature: (group, event) => intend({ group }, event),
    point: (group) => plane.highlight(group),
  });
  const legend = html("p", { class: "ts-quiet ts-lines", "data-testid": "legend" });
  const element = html("section", { class: "ts-threshold-curve" }, picker, plane, legend);

  const summary = (now: State) => {
    const { label } = metrics[now.metric] as MetricMessage;
    const name = now.now.groups[now.group]?.name;
    const at = score(now).value(now.now.thresholds[placeOf(now, now.group)] as number);
    const value = formats(now)[now.metric]?.value(cellOf(now, now.group, now.metric).value);
    return `${capitalize(label)} over thresholds${name ? `, ${name}` : ""}: ${value} at ${at}`;
  };
  const choose = (next: State) => {
    const { now, group, metric } = next;
    plane.choose(group, { title: "", words: [] }, summary(next));
    plane.mark(placeOf(next, group));
    const best = metric === cost ? now.groups[group]?.best : null;
    const words = best ? `least cost at ${score(next).value(best.threshold)}` : "";
    plane.beside(best ? { x: best.threshold, y: best.cost, level: 0, words } : null);
    const said = [
      now.moved && "Dashed: as tested.",
      present !== null && "Dotted line: the threshold now.",
      best && "Diamond: least cost.",
      by && scene && namedWords(scene, group, now.groups.length),
    ];
    setText(legend, said.filter(Boolean).join(" "));
  };
  const rebuild = (next: State) => {
    const { now, metric, group } = next;
    const first = now.groups.map((_, k) => k).slice(0, MOST_LINES);
    scene = curveScene(seriesOf(next), {
      width,
      height: HEIGHT,
      taus: now.thresholds,
      zero: present === null ? -1 : nearest(now.thresholds, present),
      xTitle: "score",
      kind: metrics[metric]?.kind ?? "value",
      yTitle: "",
      drawn: by ? (first.includes(group) ? first : [...first, group]) : [0],
    });
    plane.show(scene);
    choose(next);
  };
  followWidth(plane.element, signal, (measured) => {
    if (measured === width || measured === 0) return;
    width = measured;
    if (state) rebuild(state);
  });
  return {
    element,
    update(next, before) {
      state = next;
      if (!before) width = plane.element.clientWidth || sizes.chart.fallbackWidth;
      picker.selectedIndex = next.metric;
      plane.element.classList.toggle("ts-is-stale", next.late);
      if (!scene || next.now !== before?.now || next.metric !== before.metric) rebuild(next);
      else choose(next);
    },
  };
}
