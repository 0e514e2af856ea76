/**
 * The joint stress widget: several τ at once, solved here on the rows that came along, or by the kernel where they
 * are too many. Intent flows state → traits; state flows traits → panel.
 */

import { type JointStressViewTraits, jointRangesMessage } from "../../../wire/messages";
import { isWaiting, unlessEmpty } from "../../../wire/schema";
import { sameStress } from "../../../wire/shared_stress";
import { decodeAnswer, decodeJointStress } from "../../../wire/stress/joint";
import "./style.css";
import { startLoop } from "../../shared/loop";
import { createView } from "../../shared/view";
import { createPanel, type Panel, type Surroundings } from "./panel";
import { FIRST_SHOWN, type State, stateFromTraits } from "./state";

const DATA = ["message", "columns_message", "columns", "row_weights", "answers"] as const;
const CHOICES = ["stress", "metric"] as const;
const LATER = ["answer", "ranges"] as const;

export interface Inside extends Surroundings {
  /** The feature pointed at first; by default the first of all. */
  readonly feature?: string;
}

/** @param inside how it stands in a view around it; by default it stands alone */
export function createJointView({ feature, ...surroundings }: Inside = {}) {
  return createView<JointStressViewTraits>({
    root: "ts-joint-stress",
    data: DATA,
    awaited: "the rows",
    shown: "This joint stress",
    isWaiting: (traits) => isWaiting(traits.get("message")) || isWaiting(traits.get("columns_message")),
    asksKernel: (traits) => (traits.get("columns_message") as { shipped?: unknown }).shipped === false,
    mount: (stage) => {
      const { traits } = stage;
      const data = decodeJointStress(traits.pick(DATA));
      const named = data.columns.message.features.findIndex(({ name }) => name === feature);
      const first = Math.max(0, named);
      const { panel, repaint } = startLoop<JointStressViewTraits, State, Panel>(stage, {
        choices: CHOICES,
        read: (before) => ({
          ...(before ?? { feature: first, by: "", query: "", limit: FIRST_SHOWN }),
          ...stateFromTraits(data, traits.pick(CHOICES), before ?? undefined),
        }),
        write: (change, state, before) => {
          if (change.stress && !sameStress(change.stress, before.stress)) traits.set("stress", change.stress);
          traits.set("metric", data.message.outcomes.metrics[state.metric]?.name ?? "");
        },
        createPanel: (actions) => createPanel(data, { ...actions, gone: stage.gone }, surroundings),
      });
      const receive = stage.guard(() => {
        panel.receive(
          decodeAnswer(traits.get("answer")),
          unlessEmpty(jointRangesMessage)(traits.get("ranges") ?? {}, "ranges"),
        );
        repaint();
      });
      traits.onChange(LATER, receive);
      if (!data.outcomes) receive();
    },
  });
}

export default createJointView();
