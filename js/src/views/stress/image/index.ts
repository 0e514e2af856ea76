/** The image widget: small multiples of pixels; every number it shows was shipped with it. */

import { decodeStressImage, type StressImage, type StressImageTraits } from "../../../wire/stress/image";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import type { PaintClock } from "../../shared/paint_clock";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateFromTraits } from "./state";

const DATA = ["message", "answers", "population"] as const;

function mount(
  root: HTMLElement,
  data: StressImage,
  traits: Traits<StressImageTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  const chosen = () => stateFromTraits(data, { tau: traits.get("tau"), against: traits.get("against") });
  const [height, width] = data.message.shape;
  let state: State = { ...chosen(), channel: 0, at: [Math.floor(height / 2), Math.floor(width / 2)] };
  let writing = false;
  const show = (change: Partial<State>, event: Event | null) => {
    const before = state;
    state = { ...state, ...change };
    panel.update(state, before);
    clock.changed(event);
  };
  const panel = createPanel(data, {
    signal,
    host: root,
    intend(change, event) {
      show(change, event);
      writing = true;
      if (change.tau !== undefined) traits.set("tau", data.message.taus[state.tau] as number);
      if (change.against !== undefined) traits.set("against", state.against);
      writing = false;
    },
  });
  traits.onChange(["tau", "against"], () => {
    if (writing) return;
    const next = chosen();
    if (next.tau !== state.tau || next.against !== state.against) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

export default createView<StressImageTraits>({
  root: "ts-stress-image",
  data: DATA,
  awaited: "the maps",
  shown: "These maps",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  mount: ({ root, traits, clock, signal }) => {
    const data = decodeStressImage({
      message: traits.get("message"),
      answers: traits.get("answers"),
      population: traits.get("population"),
    });
    mount(root, data, traits, clock, signal);
  },
});
