/** The widget of decisions at other thresholds: all come with it, so that the slider waits for nobody. */

import { type ThresholdCurvesViewTraits, thresholdsMessage } from "../../../wire/messages";
import { readStressOrNone } from "../../../wire/shared_stress";
import { decodeDecisions, readChosen } from "../../../wire/stress/thresholds";
import "./style.css";
import { createReader } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import type { State } from "./state";

export default createView<ThresholdCurvesViewTraits>({
  root: "ts-thresholds",
  data: ["message"],
  awaited: "the thresholds",
  shown: "These thresholds",
  asksKernel: (traits) => thresholdsMessage(traits.get("message"), "message").offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = thresholdsMessage(traits.get("message"), "message");
    const read = createReader((value) => decodeDecisions(value, traits.get("numbers"), message));
    startLoop<ThresholdCurvesViewTraits, State>(stage, {
      choices: ["thresholds", "metric", "stress", "decisions"],
      read: (before) => ({
        ...read(traits.get("decisions"), message.offline, readStressOrNone(traits.get("stress"))),
        chosen: readChosen(traits.get("thresholds"), message),
        metric: Math.max(
          0,
          message.metrics.findIndex(({ name }) => name === traits.get("metric")),
        ),
        group: before?.group ?? 0,
      }),
      write: (change, state) => {
        if (change.chosen) traits.set("thresholds", state.chosen);
        if (change.metric !== undefined) traits.set("metric", message.metrics[state.metric]?.name ?? "");
      },
      createPanel: ({ signal, intend }) => createPanel(message, intend, signal),
    });
  },
});
