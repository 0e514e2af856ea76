/** The widget of a worst case: its amounts come with it or follow from the kernel, the page shows one and picks. */

import { type WorstCaseViewTraits, worstCaseMessage, worstPathMessage } from "../../../wire/messages";
import { readStressOrNone } from "../../../wire/shared_stress";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { remember } from "../../shared/memoize";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stepOf } from "./state";

export default createView<WorstCaseViewTraits>({
  root: "ts-worst-case",
  data: ["message"],
  awaited: "the worst case",
  shown: "This worst case",
  asksKernel: (traits) => {
    const { done, total, problem } = worstPathMessage(traits.get("path"), "path");
    return done < total && problem === "";
  },
  mount: (stage) => {
    const { traits } = stage;
    const message = worstCaseMessage(traits.get("message"), "message");
    const wayOf = remember((path: unknown) => worstPathMessage(path, "path"));
    startLoop<WorstCaseViewTraits, State>(stage, {
      choices: ["amount", "stress", "path"],
      read: () =>
        stateOf(wayOf(traits.get("path")), traits.get("amount"), readStressOrNone(traits.get("stress"))),
      write: (change, state) => {
        if (change.at !== undefined) traits.set("amount", stepOf(state).amount);
        if (change.stress) traits.set("stress", change.stress);
      },
      createPanel: ({ signal, intend }) => createPanel(message, intend, signal),
    });
  },
});
