/** The surface widget: every number it shows was shipped with it; the shared stress is its position. */

import { WireError } from "../../../wire/schema";
import { readStress, sameStress, UNSTRESSED } from "../../../wire/shared_stress";
import {
  decodeStressSurface,
  type StressSurface,
  type StressSurfaceTraits,
} from "../../../wire/stress/surface";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import type { PaintClock } from "../../shared/paint_clock";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stressAt } from "./state";

const DATA = ["message", "answers", "population"] as const;

/** The stress the trait holds; one that cannot be read moves nothing. */
function stressOf(traits: Traits<StressSurfaceTraits>) {
  try {
    return readStress(traits.get("stress") ?? {});
  } catch (error) {
    if (error instanceof WireError) return UNSTRESSED;
    throw error;
  }
}

function mount(
  root: HTMLElement,
  data: StressSurface,
  traits: Traits<StressSurfaceTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  let state: State = stateOf(data, stressOf(traits), traits.get("metric"));
  let writing = false;
  const show = (next: State, event: Event | null) => {
    const before = state;
    state = next;
    panel.update(state, before);
    clock.changed(event);
  };
  const panel = createPanel(data, {
    signal,
    intend(change, event) {
      const stress = change.at ? stressAt(data.message, state.stress, change.at) : state.stress;
      show({ ...state, ...change, stress }, event);
      writing = true;
      if (change.at) traits.set("stress", stress);
      traits.set("metric", data.message.metrics[state.metric]?.name ?? "");
      writing = false;
    },
  });
  traits.onChange(["stress", "metric"], () => {
    if (writing) return;
    const next = stateOf(data, stressOf(traits), traits.get("metric"), state);
    if (next.metric !== state.metric || !sameStress(next.stress, state.stress)) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

export default createView<StressSurfaceTraits>({
  root: "ts-stress-surface",
  data: DATA,
  awaited: "the surface",
  shown: "This stress surface",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  mount: ({ root, traits, clock, signal }) => {
    const data = decodeStressSurface({
      message: traits.get("message"),
      answers: traits.get("answers"),
      population: traits.get("population"),
    });
    mount(root, data, traits, clock, signal);
  },
});
