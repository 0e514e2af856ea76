/**
 * The stress curves widget: every number it shows was shipped with it, so that a slider answers without the
 * kernel. Intent flows state → traits; state flows traits → panel.
 */

import { UNSTRESSED } from "../../../wire/shared_stress";
import { decodeStressCurves, type StressCurves, type StressCurvesTraits } from "../../../wire/stress/curves";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import type { PaintClock } from "../../shared/paint_clock";
import { createView } from "../../shared/view";
import type { Part } from "./context";
import { createPanel } from "./panel";
import { emptyBox } from "./problem";
import { FIRST_SHOWN, metricName, type State, stateFromTraits } from "./state";

const DATA = ["message", "curves", "population", "histograms"] as const;
const CHOICES = ["tau", "feature", "metric", "rank_by", "stress"] as const;

function readChoices(traits: Traits<StressCurvesTraits>) {
  return {
    tau: traits.get("tau"),
    feature: traits.get("feature"),
    metric: traits.get("metric"),
    rank_by: traits.get("rank_by"),
    stress: traits.get("stress"),
  };
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
}

/** Put a panel for this data into the root, following and moving the traits until the signal aborts. */
function mount(
  root: HTMLElement,
  data: StressCurves,
  traits: Traits<StressCurvesTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  let state: State = { ...stateFromTraits(data, readChoices(traits)), query: "", limit: FIRST_SHOWN };
  let writing = false;
  const show = (change: Partial<State>, event: Event | null) => {
    const before = state;
    state = { ...state, ...change };
    panel.update(state, before);
    clock.changed(event);
  };
  const panel: Part = createPanel(data, {
    signal,
    intend: (change, event) => {
      const moved = "tau" in change || ("feature" in change && state.elsewhere === "");
      show(moved ? { ...change, elsewhere: "" } : change, event);
      writing = true;
      writeChoices(traits, data, state, moved);
      writing = false;
    },
  });
  traits.onChange(CHOICES, () => {
    if (writing) return;
    const next = stateFromTraits(data, readChoices(traits), state);
    const moved = (Object.keys(next) as (keyof typeof next)[]).some((key) => next[key] !== state[key]);
    if (moved) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

export default createView<StressCurvesTraits>({
  root: "ts-stress-curves",
  data: DATA,
  awaited: "the curves",
  shown: "These stress curves",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  mount: ({ root, traits, clock, signal }) => {
    const data = decodeStressCurves({
      message: traits.get("message"),
      curves: traits.get("curves"),
      population: traits.get("population"),
      histograms: traits.get("histograms"),
    });
    if (data.message.features.length === 0) root.replaceChildren(emptyBox(data.message));
    else mount(root, data, traits, clock, signal);
  },
});
