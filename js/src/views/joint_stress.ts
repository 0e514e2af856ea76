/**
 * The joint stress widget: several τ at once, solved here on the rows that came along, or by the kernel where they
 * are too many. Intent flows state → traits; state flows traits → panel.
 */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { html } from "../marks/element";
import { applyTheme } from "../theme/theme";
import {
  decodeAnswer,
  decodeJointStress,
  decodeReaches,
  type JointStress,
  type JointStressTraits,
} from "../wire/joint_stress";
import { sameStress } from "../wire/stress";
import { isWaiting } from "../wire/stress_curves";
import { bindTraits, type Traits } from "../wire/traits";
import "./joint_stress.css";
import { createPanel } from "./joint_stress/panel";
import { errorBox, waitingBox } from "./joint_stress/problem";
import { FIRST_SHOWN, type State, sameChoice, stateFromTraits } from "./joint_stress/state";
import { createPaintClock, type PaintClock } from "./stress_curves/paint_clock";

type Model = AnyModel<JointStressTraits>;

const DATA = ["message", "columns_message", "columns", "row_weights", "answers"] as const;
const CHOICES = ["stress", "index"] as const;
const LATER = ["answer", "reaches"] as const;

/** A controller that also aborts with `signal`, and leaves nothing on it afterwards. */
function within(signal: AbortSignal | undefined): AbortController {
  const inner = new AbortController();
  if (signal?.aborted) inner.abort();
  signal?.addEventListener("abort", () => inner.abort(), { once: true, signal: inner.signal });
  return inner;
}

function choices(traits: Traits<JointStressTraits>) {
  return { stress: traits.get("stress"), index: traits.get("index") };
}

/** Put a panel for this data into the root, following and moving the traits until the signal aborts. */
function mount(
  root: HTMLElement,
  data: JointStress,
  model: Model,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  const traits = bindTraits(model, signal);
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
    traits.set("index", data.message.outcomes.indices[state.index]?.name ?? "");
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
      root.replaceChildren(errorBox(error));
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

function render({ model, el, signal }: RenderProps<JointStressTraits>): () => void {
  const life = within(signal);
  const root = html("div", { class: "tauscope ts-joint-stress", lang: "en" });
  applyTheme(root);
  el.append(root);
  const clock = createPaintClock(root, life.signal);
  const traits = bindTraits<JointStressTraits>(model, life.signal);

  let shown = within(life.signal);
  const draw = () => {
    shown.abort();
    shown = within(life.signal);
    const message = traits.get("message");
    if (isWaiting(message) || isWaiting(traits.get("columns_message"))) {
      root.replaceChildren(waitingBox());
      return;
    }
    try {
      const data = decodeJointStress({
        message,
        columns_message: traits.get("columns_message"),
        columns: traits.get("columns"),
        row_weights: traits.get("row_weights"),
        answers: traits.get("answers"),
      });
      mount(root, data, model, clock, shown.signal);
    } catch (error) {
      root.replaceChildren(errorBox(error));
    }
  };
  draw();

  let frame = 0;
  traits.onChange(DATA, () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  life.signal.addEventListener(
    "abort",
    () => {
      cancelAnimationFrame(frame);
      root.remove();
    },
    { once: true },
  );
  return () => life.abort();
}

export default { render };
