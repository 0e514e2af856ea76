/** The widget of two models on the same rows: the kernel compares them under the stress that views share. */

import { readStressOrNone } from "../../../wire/shared_stress";
import { type ComparisonTraits, decodeCompared, decodeComparison } from "../../../wire/stress/comparison";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf } from "./state";

export default createView<ComparisonTraits>({
  root: "ts-model-comparison",
  data: ["message"],
  awaited: "the comparison",
  shown: "This comparison",
  asksKernel: (traits) => decodeComparison(traits.get("message")).offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = decodeComparison(traits.get("message"));
    startLoop<ComparisonTraits, State>(stage, {
      choices: ["stress", "compared"],
      read: () =>
        stateOf(
          message,
          readStressOrNone(traits.get("stress")),
          decodeCompared(traits.get("compared"), message),
        ),
      write: () => {},
      createPanel: ({ signal }) => createPanel(message, signal),
    });
  },
});
