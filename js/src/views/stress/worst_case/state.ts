/** Which part of what was allowed is shown, and whether linked views are there. */

import type { WorstPathMessage, WorstStepMessage } from "../../../wire/messages";
import { type Stress, sameStress } from "../../../wire/shared_stress";
import { nearestAmount } from "../../shared/amounts";

export interface State {
  readonly way: WorstPathMessage;
  /** Place among the steps that are there. */
  readonly at: number;
  readonly stress: Stress;
}

export function stateOf(way: WorstPathMessage, amount: number, stress: Stress): State {
  return { way, at: nearestAmount(way.steps, amount), stress };
}

export const stepOf = ({ way, at }: State): WorstStepMessage => way.steps[at] as WorstStepMessage;

/** The sliders that make a worst case; null where none do. */
export function worstStress({ taus, unsaid }: WorstStepMessage): Stress | null {
  return unsaid ? null : { taus, hold: "none" };
}

/** Whether the shared stress is the worst case shown. */
export function isThere(state: State): boolean {
  const worst = worstStress(stepOf(state));
  return worst !== null && sameStress(worst, state.stress);
}
