/** The single views inside the workspace, each drawn when it is first shown. */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { shareSolve } from "../../../solve/stress/solutions";
import { LEVELS, levelOf } from "../../../wire/reasons";
import { isStressed } from "../../../wire/shared_stress";
import { decodeStressCurves, type StressCurvesTraits } from "../../../wire/stress/curves";
import type { Weighed } from "../../../wire/workspace/table";
import boundary from "../../boundary/boundary/index";
import { createPooledView } from "../../boundary/pooled/index";
import { createEffectView } from "../../effects/effect/index";
import rules from "../../rules/rules/index";
import { oncePerFrame } from "../../shared/once_per_frame";
import { populationWords } from "../../shared/population_words";
import { judgeCarriers, reasonWords } from "../../shared/reliability";
import calibration from "../../stress/calibration/index";
import models from "../../stress/comparison/index";
import { createChartPanel } from "../../stress/curves/chart_panel";
import { createContext } from "../../stress/curves/context";
import { firstWords } from "../../stress/curves/first_look";
import type { JointSource } from "../../stress/curves/joint_mark";
import { createCurvesView } from "../../stress/curves/view";
import type { Answer } from "../../stress/joint/answers";
import type { Context, View } from "../../stress/joint/context";
import { createJointView } from "../../stress/joint/index";
import type { Place, Watch } from "../../stress/joint/panel";
import thresholds from "../../stress/thresholds/index";
import towards from "../../stress/towards/index";
import worst_case from "../../stress/worst_case/index";
import { createTableView, type WeightSource } from "../table/index";
import { innerModel } from "./inner_model";

interface JointRelay extends JointSource, WeightSource {
  show(context: Context, view: View): void;
}

/** Weights of mean 1, as the kernel sends them. */
function meanOne(weights: ArrayLike<number>): Float32Array {
  let total = 0;
  for (let row = 0; row < weights.length; row++) total += weights[row] as number;
  const mean = total / weights.length;
  return Float32Array.from(weights, (weight) => weight / mean);
}

/** The numbers of the population shown, for the curves to mark: passed on from what is told of the joint stress. */
function createJointRelay(signal: AbortSignal): JointRelay {
  let latest: { readonly context: Context; readonly view: View } | null = null;
  let known: { readonly of: Answer; readonly made: Weighed } | null = null;
  const calls = new Set<() => void>();
  const tellSoon = oncePerFrame(signal, () => {
    for (const call of calls) call();
  });
  return {
    stress() {
      const answer = latest?.view.answer;
      return answer && isStressed(answer.stress) && !answer.stale && !answer.reason ? answer.stress : null;
    },
    of(name) {
      if (!latest) return null;
      const { context, view } = latest;
      const k = context.metrics.findIndex((metric) => metric.name === name);
      if (k < 0) return null;
      const { value, lower, upper, reason } = view.answer.estimate(k);
      return { value, lower, upper, level: levelOf(context.data.message.reliability, reason) };
    },
    solves: () => (latest?.context.data.outcomes ?? null) !== null,
    weighed() {
      if (!latest) return null;
      const { context, view } = latest;
      const { stress, stale, reason, weights, ess, kl: far, tv, pareto_k, carriers } = view.answer;
      if (!isStressed(stress) || stale) return null;
      if (!reason && !weights) return null;
      if (known?.of === view.answer) return known.made;
      const reasons = context.data.message.reliability;
      const judged = judgeCarriers(reasons, carriers);
      const made: Weighed = {
        stress,
        error: reason,
        words: populationWords(context.data.columns, stress, view.answer.achieved),
        ...{ ess, kl: far, tv, pareto_k },
        doubt: { level: LEVELS[levelOf(reasons, judged.reason)], words: reasonWords(reasons, [], judged) },
        weights: weights && meanOne(weights),
      };
      known = { of: view.answer, made };
      return made;
    },
    onChange(call, until) {
      calls.add(call);
      until.addEventListener("abort", () => calls.delete(call), { once: true });
    },
    show(context, view) {
      latest = { context, view };
      tellSoon();
    },
  };
}

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
interface Drawn {
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
  const draw = (view: Drawn, name: string, shared = SHARED[name] ?? {}) => {
    const el = document.createElement("div");
    el.className = `ts-inside ts-inside-${name}`;
    view.render({ model: innerModel(model, name, shared), el, signal } as unknown as RenderProps<Any>);
    return el;
  };
  const ofCurves = { ...SHARED.curves, second: "second_metric" };
  const relay = createJointRelay(signal);
  const solveOn = shareSolve();
  const views: Readonly<Record<string, Drawn>> = {
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
    view: (name: string) => draw(views[name] as Drawn, name),
  };
}
