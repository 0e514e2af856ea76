/** The widget of shifts of one size: every number it shows came with it; the shared stress is the bar chosen. */

import type { StressHarmViewTraits } from "../../../wire/messages";
import { readStressOrNone } from "../../../wire/shared_stress";
import { decodeStressHarm } from "../../../wire/stress/harm";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stressOf } from "./state";

export default createView<StressHarmViewTraits>({
  root: "ts-stress-harm",
  data: ["message"],
  awaited: "the shifts",
  shown: "These shifts",
  mount: (stage) => {
    const { traits } = stage;
    const data = decodeStressHarm(traits.get("message"));
    startLoop<StressHarmViewTraits, State>(stage, {
      choices: ["stress"],
      read: () => stateOf(data, readStressOrNone(traits.get("stress"))),
      write: (_, state) => traits.set("stress", state.stress),
      createPanel: ({ signal, intend }) =>
        createPanel(data, {
          signal,
          choose: (chosen, event) => intend({ chosen, stress: stressOf(data, chosen) }, event),
        }),
    });
  },
});
