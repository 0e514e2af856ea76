/** The image widget: small multiples of pixels; every number it shows was shipped with it. */

import type { StressImageViewTraits } from "../../../wire/messages";
import { decodeStressImage } from "../../../wire/stress/image";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel } from "./panel";
import { type State, stateFromTraits } from "./state";

const DATA = ["message", "answers", "population", "reasons"] as const;
const CHOICES = ["tau", "against"] as const;

export default createView<StressImageViewTraits>({
  root: "ts-stress-image",
  data: DATA,
  awaited: "the maps",
  shown: "These maps",
  mount: (stage) => {
    const { root, traits } = stage;
    const data = decodeStressImage(traits.pick(DATA));
    const [height, width] = data.message.shape;
    const middle = [Math.floor(height / 2), Math.floor(width / 2)] as const;
    startLoop<StressImageViewTraits, State>(stage, {
      choices: CHOICES,
      read: (before) => ({
        ...(before ?? { channel: 0, at: middle }),
        ...stateFromTraits(data, traits.pick(CHOICES)),
      }),
      write: (change, state) => {
        if (change.tau !== undefined) traits.set("tau", data.message.taus[state.tau] as number);
        if (change.against !== undefined) traits.set("against", state.against);
      },
      createPanel: (actions) => createPanel(data, { ...actions, host: root }),
    });
  },
});
