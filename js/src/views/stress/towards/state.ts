/** How much of the way is shown: what the shared stress says where sliders can say it, else the view's own amount. */

import type { TargetPopulationMessage } from "../../../wire/messages";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { type Step, stressOf, type Way } from "../../../wire/stress/towards";
import { nearestAmount } from "../../shared/amounts";
import type { Sentence } from "../../shared/words";

export interface State {
  readonly way: Way;
  /** Place among the steps that are there. */
  readonly at: number;
  readonly stress: Stress;
  /** Whether the shared stress is none of this way, while sliders could say it. */
  readonly elsewhere: boolean;
}

/** @param amount the view's own, shown where the stress is none of the way */
export function stateOf(message: TargetPopulationMessage, way: Way, amount: number, stress: Stress): State {
  const { steps } = way;
  const shared = steps.findIndex((step) => {
    const said = stressOf(message, step.amount);
    return said !== null && sameStress(said, stress);
  });
  if (shared >= 0) return { way, at: shared, stress, elsewhere: false };
  return { way, at: nearestAmount(steps, amount), stress, elsewhere: !message.unsaid };
}

export const stepOf = ({ way, at }: State): Step => way.steps[at] as Step;

/** The population, and what stands behind it. */
export function populationSentence({ population }: Step): Sentence {
  const [strong = "", ...rest] = population.split(";");
  return { strong, rest: rest.length > 0 ? `;${rest.join(";")}` : "" };
}

/** Why views that are linked show another population; "" where they show this one. */
export function elsewhereWords({ elsewhere, stress }: State, { unsaid }: TargetPopulationMessage): string {
  if (unsaid) return `Other views cannot follow: ${unsaid}.`;
  if (!elsewhere) return "";
  return isStressed(stress)
    ? "The stress set elsewhere is not on this way; the slider moves all linked views back to it."
    : "Linked views show the data as they are; the slider moves them here.";
}
