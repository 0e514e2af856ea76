/**
 * The joint stress widget: several τ at once, solved here on the rows that came along, or by the kernel where they
 * are too many. Intent flows state → traits; state flows traits → panel.
 */

import { sameStress } from "../../../wire/shared_stress";
import { decodeJointStress, type JointStress, type JointStressTraits } from "../../../wire/stress/joint";
import { decodeAnswer, decodeReaches } from "../../../wire/stress/joint_answer";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import { errorBox } from "../../shared/boxes";
import type { PaintClock } from "../../shared/paint_clock";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { FIRST_SHOWN, type State, sameChoice, stateFromTraits } from "./state";

const SHOWN = "This joint stress";
const DATA = ["message", "columns_message", "columns", "row_weights", "answers"] as const;
const CHOICES = ["stress", "metric"] as const;
const LATER = ["answer", "reaches"] as const;

function choices(traits: Traits<JointStressTraits>) {
  return { stress: traits.get("stress"), metric: traits.get("metric") };
}

/** Put a panel for this data into the root, following and moving the traits until the signal aborts. */
function mount(
  root: HTMLElement,
  data: JointStress,
  traits: Traits<JointStressTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  let state: State = { ...stateFromTraits(data, choices(traits)), feature: 0, query: "", limit: FIRST_SHOWN };
  let writing = false;
  const show = (change: Partial<State>, event: Event | null) => {
    const before = state;
    state = { ...state, ...change };
    panel.update(state, before);
    clock.changed(event);
  };
  const write = (change: Partial<State>, before: State) => {
    writing = true;
    if (change.stress && !sameStress(change.stress, before.stress)) traits.set("stress", change.stress);
    traits.set("metric", data.message.outcomes.metrics[state.metric]?.name ?? "");
    writing = false;
  };
  const panel = createPanel(data, {
    signal,
    intend: (change, event) => {
      const before = state;
      show(change, event);
      write(change, before);
    },
  });
  const guarded = (change: () => void) => () => {
    if (writing) return;
    try {
      change();
    } catch (error) {
      root.replaceChildren(errorBox(SHOWN, error));
    }
  };
  traits.onChange(
    CHOICES,
    guarded(() => {
      const next = stateFromTraits(data, choices(traits), state);
      if (!root.contains(panel.element)) root.replaceChildren(panel.element);
      if (!sameChoice(next, state)) show(next, null);
    }),
  );
  const receive = () => {
    panel.receive(decodeAnswer(traits.get("answer") ?? {}), decodeReaches(traits.get("reaches") ?? {}));
    clock.changed(null);
  };
  traits.onChange(LATER, guarded(receive));
  root.replaceChildren(panel.element);
  panel.update(state, null);
  if (!data.outcomes) receive();
  clock.changed(null);
}

export default createView<JointStressTraits>({
  root: "ts-joint-stress",
  data: DATA,
  awaited: "the rows",
  shown: SHOWN,
  isWaiting: (traits) => isWaiting(traits.get("message")) || isWaiting(traits.get("columns_message")),
  mount: ({ root, traits, clock, signal }) => {
    const data = decodeJointStress({
      message: traits.get("message"),
      columns_message: traits.get("columns_message"),
      columns: traits.get("columns"),
      row_weights: traits.get("row_weights"),
      answers: traits.get("answers"),
    });
    mount(root, data, traits, clock, signal);
  },
});
