/** Which part of what was allowed is shown, and whether linked views are there. */

import { type Stress, sameStress } from "../../../wire/shared_stress";
import { type WorstPath, type WorstStep, worstStress } from "../../../wire/stress/worst_case";
import { nearestAmount } from "../../shared/amounts";

export interface State {
  readonly way: WorstPath;
  /** Place among the steps that are there. */
  readonly at: number;
  readonly stress: Stress;
}

export function stateOf(way: WorstPath, amount: number, stress: Stress): State {
  return { way, at: nearestAmount(way.steps, amount), stress };
}

export const stepOf = ({ way, at }: State): WorstStep => way.steps[at] as WorstStep;

/** Whether the shared stress is the worst case shown. */
export function isThere(state: State): boolean {
  const worst = worstStress(stepOf(state));
  return worst !== null && sameStress(worst, state.stress);
}
