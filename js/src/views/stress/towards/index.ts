/** The widget of the way to another population: its amounts come with it, so that the slider waits for nobody. */

import type { TargetPopulationViewTraits } from "../../../wire/messages";
import { readStressOrNone, type Stress } from "../../../wire/shared_stress";
import { decodeTarget, decodeWay, stressOf } from "../../../wire/stress/towards";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { remember } from "../../shared/memoize";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stepOf } from "./state";

export default createView<TargetPopulationViewTraits>({
  root: "ts-towards",
  data: ["message"],
  awaited: "the other population",
  shown: "This population",
  mount: (stage) => {
    const { traits } = stage;
    const message = decodeTarget(traits.get("message"));
    const wayOf = remember((path: unknown) => decodeWay(path, traits.get("numbers"), message));
    const wayNow = () => wayOf(traits.get("path"));
    startLoop<TargetPopulationViewTraits, State>(stage, {
      choices: ["amount", "stress", "path"],
      read: () => stateOf(message, wayNow(), traits.get("amount"), readStressOrNone(traits.get("stress"))),
      write: (_, state) => {
        traits.set("amount", stepOf(state).amount);
        if (!message.unsaid) traits.set("stress", state.stress);
      },
      createPanel: ({ signal, intend }) =>
        createPanel(
          message,
          (at, event) => {
            const step = wayNow().steps[at];
            const stress: Stress | null = step ? stressOf(message, step.amount) : null;
            intend(stress ? { at, stress, elsewhere: false } : { at }, event);
          },
          signal,
        ),
    });
  },
});
