/**
 * Stress curves, whatever panel shows them: every number was shipped with them, so that a slider answers without the
 * kernel. Intent flows state → traits; state flows traits → panel.
 */

import type { StressCurvesMessage } from "../../../wire/messages";
import "./style.css";
import { html } from "../../../marks/element";
import { UNSTRESSED } from "../../../wire/shared_stress";
import {
  decodeGroups,
  decodeStressCurves,
  type StressCurves,
  type StressCurvesTraits,
} from "../../../wire/stress/curves";
import { skippedList } from "../../shared/feature_list";
import { startLoop } from "../../shared/loop";
import type { Traits } from "../../shared/traits";
import { createView } from "../../shared/view";
import type { Context, Part } from "./context";
import type { JointSource } from "./joint_mark";
import { FIRST_SHOWN, metricName, type State, stateFromTraits } from "./state";

/** What stands in place of the panel when there is no feature to show. */
function emptyBox({ skipped }: StressCurvesMessage): HTMLElement {
  return html(
    "div",
    { class: "ts-box", role: "status" },
    html("b", {}, "There is no feature to stress."),
    ...(skipped.length > 0 ? [html("p", {}, "Left out:"), skippedList(skipped)] : []),
  );
}

const DATA = ["message", "curves", "population", "histograms", "reasons", "beside"] as const;
const CHOICES = ["tau", "feature", "metric", "rank_by", "stress"] as const;
const OF_GROUPS = ["by", "within", "groups", "group_numbers"] as const;

/** Whether a change moves the shared stress, and not only what is shown of it. */
function movesStress(change: Partial<State>, before: State): boolean {
  return "tau" in change || ("feature" in change && before.elsewhere === "");
}

/** Traits from a state; the shared stress only when a person moved it, for it may hold what is not shown here. */
function writeChoices(
  traits: Traits<StressCurvesTraits>,
  { message }: StressCurves,
  state: State,
  moved: boolean,
): void {
  const tau = message.taus[state.tau] as number;
  const feature = message.features[state.feature]?.name ?? "";
  traits.set("tau", tau);
  traits.set("feature", feature);
  if (moved)
    traits.set("stress", tau === 0 ? { ...UNSTRESSED } : { taus: { [feature]: tau }, hold: message.hold });
  traits.set("metric", metricName(message, state.metric));
  traits.set("rank_by", state.rankBy);
  if ((traits.get("by") ?? "") !== state.by) traits.set("by", state.by);
  if ((traits.get("within") ?? false) !== (state.shift === "within"))
    traits.set("within", state.shift === "within");
}

/** What the traits say of groups; numbers are read once, when they come. */
function readGroups(traits: Traits<StressCurvesTraits>, { message }: StressCurves) {
  let known: { groups: unknown; many: State["many"] } | undefined;
  return (): Pick<State, "by" | "shift" | "many"> => {
    const { by, within, groups, group_numbers } = traits.pick(OF_GROUPS);
    if (!known || known.groups !== groups)
      known = { groups, many: decodeGroups(groups, group_numbers, message.taus.length, message.reliability) };
    return { by: by ?? "", shift: within ? "within" : "marginal", many: known.many };
  };
}

export interface CurvesViewOptions {
  /** Class of the root element. */
  readonly root: string;
  createPanel(data: StressCurves, actions: Pick<Context, "signal" | "intend">): Part;
  /** Answers to stresses that the curves do not show. */
  readonly joint?: JointSource;
}

export function createCurvesView({ root: rootClass, createPanel, joint }: CurvesViewOptions) {
  return createView<StressCurvesTraits>({
    root: rootClass,
    data: DATA,
    awaited: "the curves",
    shown: "These stress curves",
    mount: (stage) => {
      const { root, traits } = stage;
      const data = decodeStressCurves(traits.pick(DATA));
      if (data.message.features.length === 0) root.replaceChildren(emptyBox(data.message));
      else {
        const groups = readGroups(traits, data);
        const { repaint, state } = startLoop<StressCurvesTraits, State>(stage, {
          choices: [...CHOICES, "by", "within", "groups"],
          read: (before) => ({
            ...(before ?? { query: "", limit: FIRST_SHOWN, group: 0 }),
            ...groups(),
            ...stateFromTraits(data, traits.pick(CHOICES), before ?? undefined),
          }),
          change: (state, change) => ({
            ...state,
            ...change,
            ...(movesStress(change, state) ? { between: null, elsewhere: "" } : {}),
          }),
          write: (change, state, before) => writeChoices(traits, data, state, movesStress(change, before)),
          createPanel: (actions) => createPanel(data, actions),
        });
        // curves that show the stress themselves mark no answer to it
        const mark = () => {
          if (state().elsewhere !== "") repaint();
        };
        joint?.onChange(mark, stage.signal);
      }
    },
  });
}
