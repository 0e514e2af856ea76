/** The widget of shifts of one size: every number it shows came with it; the shared stress is the bar chosen. */

import { WireError } from "../../../wire/schema";
import { readStress, UNSTRESSED } from "../../../wire/shared_stress";
import { decodeStressHarm, type StressHarmTraits } from "../../../wire/stress/harm";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stressOf } from "./state";

/** The stress the trait holds; one that cannot be read moves nothing. */
function sharedStress(traits: Traits<StressHarmTraits>) {
  try {
    return readStress(traits.get("stress") ?? {});
  } catch (error) {
    if (error instanceof WireError) return UNSTRESSED;
    throw error;
  }
}

export default createView<StressHarmTraits>({
  root: "ts-stress-harm",
  data: ["message"],
  awaited: "the shifts",
  shown: "These shifts",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  mount: (stage) => {
    const { traits } = stage;
    const data = decodeStressHarm(traits.get("message"));
    startLoop<StressHarmTraits, State>(stage, {
      choices: ["stress"],
      read: () => stateOf(data, sharedStress(traits)),
      write: (_, state) => traits.set("stress", state.stress),
      createPanel: ({ signal, intend }) =>
        createPanel(data, {
          signal,
          choose: (chosen, event) => intend({ chosen, stress: stressOf(data, chosen) }, event),
        }),
    });
  },
});
