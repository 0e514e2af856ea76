/** The widget of a worst case: its amounts come with it or follow from the kernel, the page shows one and picks. */

import { readStressOrNone } from "../../../wire/shared_stress";
import {
  decodeWorstCase,
  decodeWorstPath,
  type WorstCaseTraits,
  type WorstPath,
} from "../../../wire/stress/worst_case";
import { isWaiting } from "../../../wire/traits";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateOf, stepOf } from "./state";

export default createView<WorstCaseTraits>({
  root: "ts-worst-case",
  data: ["message"],
  awaited: "the worst case",
  shown: "This worst case",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  asksKernel: (traits) => {
    const { done, total, problem } = decodeWorstPath(traits.get("path"));
    return done < total && problem === "";
  },
  mount: (stage) => {
    const { traits } = stage;
    const message = decodeWorstCase(traits.get("message"));
    let known: { readonly of: unknown; readonly way: WorstPath } | null = null;
    const way = (): WorstPath => {
      const of = traits.get("path");
      if (known?.of !== of) known = { of, way: decodeWorstPath(of) };
      return (known as { readonly way: WorstPath }).way;
    };
    startLoop<WorstCaseTraits, State>(stage, {
      choices: ["amount", "stress", "path"],
      read: () => stateOf(way(), traits.get("amount"), readStressOrNone(traits.get("stress"))),
      write: (change, state) => {
        if (change.at !== undefined) traits.set("amount", stepOf(state).amount);
        if (change.stress) traits.set("stress", change.stress);
      },
      createPanel: ({ signal, intend }) => createPanel(message, intend, signal),
    });
  },
});
