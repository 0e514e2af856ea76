/** The parts of the panel in their places, updated together. */

import { html } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { StressCurves } from "../../../wire/stress/curves";
import { createAnnouncer } from "../../shared/announcer";
import { inNextFrame } from "../../shared/part";
import { createTitle } from "../../shared/title";
import { createChart } from "./chart";
import { type Context, createContext, type Part } from "./context";
import { createDistribution } from "./distribution";
import { createElsewhere } from "./elsewhere";
import { createFeatureList } from "./feature_list";
import { createCurvePicker } from "./metric_picker";
import { createMetricTable } from "./metric_table";
import { createPopulationLine } from "./population_line";
import { createReadout, spokenWords } from "./readout";
import type { State } from "./state";

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
  const list = createFeatureList(context);
  const distribution = inNextFrame(createDistribution(context), actions.signal);
  const metrics = inNextFrame(createMetricTable(context), actions.signal);
  const announcer = createAnnouncer((state: State) => spokenWords(context, state), actions.signal);
  const parts: readonly Part[] = [
    population,
    elsewhere,
    picker,
    readout,
    list,
    chart,
    distribution,
    metrics,
    announcer,
  ];
  const { message } = data;
  const size = `${count(message.n_rows)} rows · ${count(message.features.length)} features`;
  const main = html("section", { class: "ts-main" }, picker.element, readout.element, chart.element);
  return {
    element: html(
      "div",
      { class: "ts-panel" },
      createTitle(message.title || "Stress curves", size),
      population.element,
      main,
      list.element,
      distribution.element,
      metrics.element,
      announcer.element,
    ),
    update(next, before) {
      for (const part of parts) part.update(next, before);
    },
  };
}
