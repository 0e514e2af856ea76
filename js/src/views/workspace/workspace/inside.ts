/** The single views inside the workspace, each drawn when it is first shown. */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { shareSolve } from "../../../solve/stress/solutions";
import { decodeStressCurves, type StressCurvesTraits } from "../../../wire/stress/curves";
import boundary from "../../boundary/boundary/index";
import { createPooledView } from "../../boundary/pooled/index";
import { createEffectView } from "../../effects/effect/index";
import rules from "../../rules/rules/index";
import calibration from "../../stress/calibration/index";
import models from "../../stress/comparison/index";
import { createChartPanel } from "../../stress/curves/chart_panel";
import { createContext } from "../../stress/curves/context";
import { firstWords } from "../../stress/curves/first_look";
import { createCurvesView } from "../../stress/curves/view";
import { createJointView } from "../../stress/joint/index";
import type { Place, Watch } from "../../stress/joint/panel";
import thresholds from "../../stress/thresholds/index";
import towards from "../../stress/towards/index";
import worst_case from "../../stress/worst_case/index";
import { createTableView } from "../table/index";
import { innerModel } from "./inner_model";
import { createJointRelay } from "./joint_source";

const NUMBERS = ["message", "curves", "population", "histograms", "reasons"] as const;

/**
 * What to try first, in one sentence: what a small move of the feature chosen does to the errors.
 *
 * @param curves the model of the curves; its trait `second` is the metric of the second curve
 */
function findingOf(curves: AnyModel<StressCurvesTraits & { second: string }>): string | undefined {
  const given = Object.fromEntries(NUMBERS.map((name) => [name, curves.get(name)]));
  const data = decodeStressCurves(given as Pick<StressCurvesTraits, (typeof NUMBERS)[number]>);
  const { features, metrics } = data.message;
  const feature = features.findIndex(({ name }) => name === curves.get("feature"));
  const metric = metrics.findIndex(({ name }) => name === curves.get("second"));
  if (feature < 0 || metric < 0) return undefined;
  const nowhere = () => undefined;
  const context = createContext(data, {
    signal: new AbortController().signal,
    intend: nowhere,
    point: nowhere,
  });
  return firstWords(context, feature, metric);
}

// biome-ignore lint/suspicious/noExplicitAny: views of different traits side by side
type Any = any;
interface View {
  render(props: RenderProps<Any>): unknown;
}

/** Traits of each view that are those of the workspace; the same as in Python, where two more views follow `by`. */
const SHARED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  joint: { stress: "stress" },
  curves: { stress: "stress", feature: "feature", by: "by" },
  effect: { stress: "stress", by: "by" },
  boundary: { row: "row" },
  // the study's columns are those that the sliders have
  pooled: {
    row: "row",
    selection: "selection",
    stress: "stress",
    columns_message: "joint__columns_message",
    columns: "joint__columns",
    row_weights: "joint__row_weights",
  },
  rules: { row: "row", selection: "selection", stress: "stress" },
  table: { row: "row", selection: "selection", stress: "stress" },
  thresholds: { stress: "stress" },
  calibration: { stress: "stress" },
  worst_case: { stress: "stress" },
  models: { stress: "stress" },
  towards: { stress: "stress" },
};

export function createInside(model: AnyModel<Any>, signal: AbortSignal) {
  const draw = (view: View, name: string, shared = SHARED[name] ?? {}) => {
    const el = document.createElement("div");
    el.className = `ts-inside ts-inside-${name}`;
    view.render({ model: innerModel(model, name, shared), el, signal } as unknown as RenderProps<Any>);
    return el;
  };
  const ofCurves = { ...SHARED.curves, second: "second_metric" };
  const relay = createJointRelay(signal);
  const solveOn = shareSolve();
  const views: Readonly<Record<string, View>> = {
    ...{ boundary, calibration, models, rules, thresholds, towards, worst_case },
    effect: createEffectView(solveOn),
    pooled: createPooledView(solveOn),
    table: createTableView(relay),
  };
  return {
    /** @param watch told of the population and of its numbers */
    joint(place: Place, watch: Watch) {
      const atRest = findingOf(innerModel(model, "curves", ofCurves));
      const both: Watch = (context, view) => {
        watch(context, view);
        relay.show(context, view);
      };
      const feature = model.get("feature");
      return draw(createJointView({ place, atRest, feature, watch: both, solveOn }), "joint");
    },
    /** The curves of a metric that is a trait of the workspace; by default the curves' own. */
    curve: (metric?: string) =>
      draw(
        createCurvesView({
          root: "ts-stress-curves",
          createPanel: (data, actions) => createChartPanel(data, actions, relay, !metric),
          joint: relay,
        }),
        "curves",
        { ...ofCurves, ...(metric ? { metric } : {}) },
      ),
    view: (name: string) => draw(views[name] as View, name),
  };
}
