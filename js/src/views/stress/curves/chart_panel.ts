/** The chart without sliders and summaries, beside a view that has them. */

import { html } from "../../../marks/element";
import { sizes } from "../../../theme/theme";
import type { StressCurves } from "../../../wire/stress/curves";
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
  const parts: readonly Part[] = [elsewhere, picker, ...grouping, readout, chart, ...marked, groups];
  const chosen = html("div", { class: "ts-choosers" }, ...[picker, ...grouping]);
  const places = [readout, ...marked, chart, groups].map(({ element }) => element);
  return {
    element: html("section", { class: "ts-main" }, elsewhere, chosen, ...places),
    update(next, before) {
      for (const part of parts) part.update(next, before);
    },
  };
}
