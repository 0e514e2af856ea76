/** The widget of calibration: the kernel compares under the stress that views share, the page shows and picks. */

import { type CalibrationViewTraits, calibrationMessage } from "../../../wire/messages";
import { readStressOrNone } from "../../../wire/shared_stress";
import { decodeShown } from "../../../wire/stress/calibration";
import "./style.css";
import { createReader } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import type { State } from "./state";

export default createView<CalibrationViewTraits>({
  root: "ts-calibration",
  data: ["message"],
  awaited: "the calibration",
  shown: "This calibration",
  asksKernel: (traits) => calibrationMessage(traits.get("message"), "message").offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = calibrationMessage(traits.get("message"), "message");
    const read = createReader((value) => decodeShown(value, message));
    startLoop<CalibrationViewTraits, State>(stage, {
      choices: ["group", "stress", "shown"],
      read: () => ({
        ...read(traits.get("shown"), message.offline, readStressOrNone(traits.get("stress"))),
        group: Math.max(0, message.groups.indexOf(traits.get("group"))),
      }),
      write: (change, { group }) => {
        if (change.group !== undefined) traits.set("group", message.groups[group] ?? "");
      },
      createPanel: ({ signal, intend }) => createPanel(message, intend, signal),
    });
  },
});
