/** The chart without sliders and summaries, beside a view that has them. */

import { sizes } from "../../../theme/theme";
import type { StressCurves } from "../../../wire/stress/curves";
import { grouped } from "../../shared/part";
import { createChart } from "./chart";
import { type Context, createContext, type Part } from "./context";
import { createElsewhere } from "./elsewhere";
import { createGroupPicker, createGroups } from "./groups";
import { betweenSteps, createJointLine, type JointSource, markedWords } from "./joint_mark";
import { createCurvePicker } from "./metric_picker";
import { createReadout } from "./readout";
import type { State } from "./state";

/** The chart with its metric and readout, and a word where the stress is another than its own. */
export function createChartPanel(
  data: StressCurves,
  actions: Pick<Context, "signal" | "intend">,
  joint: JointSource | undefined,
  picks: boolean,
): Part {
  const context = createContext(data, { ...actions, point: (feature) => chart.highlight(feature) });
  const exact = (state: State) => (data.beside ? null : betweenSteps(context, state, joint));
  const elsewhere = createElsewhere((state) =>
    exact(state) ? "" : markedWords(context, state, joint) || state.elsewhere,
  );
  const picker = createCurvePicker(context);
  const readout = createReadout(context, exact);
  const chart = createChart(context, sizes.chart.paired, joint);
  const marked = joint ? [createJointLine(context, joint, chart.sign)] : [];
  const grouping = picks ? [createGroupPicker(context)] : [];
  const groups = createGroups(context, false);
  const choosers = grouped("div", { class: "ts-choosers" }, picker, ...grouping);
  const places = [readout, ...marked.map(({ element }) => element), chart, groups];
  const { element, update } = grouped<State>("section", { class: "ts-main" }, elsewhere, choosers, ...places);
  return {
    element,
    update(next, before) {
      update(next, before);
      for (const line of marked) line.update(next, before); // on the chart as it now is
    },
  };
}
