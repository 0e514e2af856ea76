/** The parts of the panel in their places, updated together. */

import { html, reconcile } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import type { StressCurves } from "../../../wire/stress/curves";
import { createAnnouncer } from "../../shared/announcer";
import { inNextFrame } from "../../shared/part";
import { createTitle } from "../../shared/title";
import { counted, rowsOf } from "../../shared/words";
import { createChart } from "./chart";
import { type Context, createContext, type Part } from "./context";
import { createDistribution } from "./distribution";
import { createElsewhere } from "./elsewhere";
import { createFeatureList } from "./feature_list";
import { createGroupPicker, createGroups } from "./groups";
import { createCurvePicker } from "./metric_picker";
import { createMetricTable } from "./metric_table";
import { createPopulationLine } from "./population_line";
import { createReadout, spokenWords } from "./readout";
import type { State } from "./state";

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
  const announcer = createAnnouncer((state: State) => spokenWords(context, state), actions.signal);
  const parts: readonly Part[] = [
    population,
    elsewhere,
    picker,
    grouping,
    readout,
    list,
    chart,
    groups,
    distribution,
    metrics,
    announcer,
  ];
  const { message } = data;
  const columns = new Set(message.features.map(({ column }) => column)).size;
  const wide = columns === message.features.length ? "feature" : "column";
  const size = `${rowsOf(message.n_rows)} · ${counted(columns, wide)}`;
  const places = [picker, grouping, readout, chart, groups].map((part) => part.element);
  const main = html("section", { class: "ts-main" }, ...places);
  const title = createTitle(message.title || "Stress curves", size);
  const element = html("div", { class: "ts-panel" });
  const arrange = (width: number) => {
    const both = width < WIDE ? [main, list.element] : [list.element, main];
    reconcile(element, [
      title,
      population.element,
      ...both,
      distribution.element,
      metrics.element,
      announcer.element,
    ]);
  };
  arrange(0);
  followWidth(element, arrange, actions.signal);
  return {
    element,
    update(next, before) {
      for (const part of parts) part.update(next, before);
    },
  };
}
