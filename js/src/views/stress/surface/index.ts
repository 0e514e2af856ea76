/** The surface widget: every number it shows was shipped with it; the shared stress is its position. */

import type { StressSurfaceViewTraits } from "../../../wire/messages";
import { readStressOrNone } from "../../../wire/shared_stress";
import { decodeStressSurface } from "../../../wire/stress/surface";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stressAt } from "./state";

const DATA = ["message", "answers", "population", "reasons"] as const;
const CHOICES = ["stress", "metric"] as const;

export default createView<StressSurfaceViewTraits>({
  root: "ts-stress-surface",
  data: DATA,
  awaited: "the surface",
  shown: "This stress surface",
  mount: (stage) => {
    const { traits } = stage;
    const data = decodeStressSurface(traits.pick(DATA));
    startLoop<StressSurfaceViewTraits, State>(stage, {
      choices: CHOICES,
      read: (before) => {
        const stress = readStressOrNone(traits.get("stress"));
        return stateOf(data, stress, traits.get("metric"), before ?? undefined);
      },
      change: (state, change) => {
        const stress = change.at ? stressAt(data.message, state.stress, change.at) : state.stress;
        return { ...state, ...change, stress };
      },
      write: (change, state) => {
        if (change.at) traits.set("stress", state.stress);
        traits.set("metric", data.message.metrics[state.metric]?.name ?? "");
      },
      createPanel: (actions) => createPanel(data, actions),
    });
  },
});
