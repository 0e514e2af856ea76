/** How much of the way is shown: what the shared stress says where sliders can say it, else the view's own amount. */

import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { type Step, stressOf, type TargetPopulationMessage, type Way } from "../../../wire/stress/towards";
import type { Sentence } from "../../shared/words";

export interface State {
  readonly way: Way;
  /** Place among the steps that are there. */
  readonly at: number;
  readonly stress: Stress;
  /** Whether the shared stress is none of this way, while sliders could say it. */
  readonly elsewhere: boolean;
}

function nearest(steps: readonly Step[], amount: number): number {
  const away = (k: number) => Math.abs((steps[k]?.amount ?? 0) - amount);
  return steps.reduce((best, _, k) => (away(k) < away(best) ? k : best), 0);
}

/** @param amount the view's own, shown where the stress is none of the way */
export function stateOf(message: TargetPopulationMessage, way: Way, amount: number, stress: Stress): State {
  const { steps } = way;
  const shared = steps.findIndex((step) => {
    const said = stressOf(message, step.amount);
    return said !== null && sameStress(said, stress);
  });
  if (shared >= 0) return { way, at: shared, stress, elsewhere: false };
  return { way, at: nearest(steps, amount), stress, elsewhere: !message.unsaid };
}

export const stepOf = ({ way, at }: State): Step => way.steps[at] as Step;

export function amountWords(amount: number): string {
  return `${Number((100 * amount).toPrecision(6))} %`;
}

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

const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)(%?)$/;

export type Typed = { readonly at: number; readonly words: string } | { readonly problem: string };

/** Read "70 %", "70" or "0.7" as the nearest amount that is there. */
export function readAmount(typed: string, steps: readonly Step[]): Typed {
  const found = NUMBER.exec(typed.replace(/\s/g, "").replace(",", "."));
  if (!found) return { problem: "Write how much of the way, such as 70 % or 0.7." };
  const given = Number(found[1]);
  const amount = found[2] || given > 1 ? given / 100 : given;
  if (amount > 1) return { problem: "The way goes from 0 to 100 %." };
  const at = nearest(steps, amount);
  const near = steps[at]?.amount ?? 0;
  const off = Math.abs(near - amount) > 1e-9;
  return { at, words: off ? `${amountWords(near)} is the nearest that was computed.` : "" };
}
