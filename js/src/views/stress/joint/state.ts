/** What the panel shows, and the way there from the traits. */

import type { JointStressViewTraits } from "../../../wire/messages";
import { readStress, type Stress } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";

export interface State {
  readonly stress: Stress;
  /** Position in `message.outcomes.metrics`. */
  readonly metric: number;
  /** The feature touched last; its distribution is shown. */
  readonly feature: number;
  /** The column whose groups are shown; "" for none. */
  readonly by: string;
  readonly query: string;
  /** How many features are listed. */
  readonly limit: number;
}

export const FIRST_SHOWN = 14;
export const SHOWN_MORE = 40;

/** Positions of τ that a slider moves in: −1, −0.99, … 1. */
export const STEPS = 200;

export function positionOf(tau: number): number {
  return Math.round((tau + 1) * (STEPS / 2));
}

export function tauAt(position: number): number {
  return (position - STEPS / 2) / (STEPS / 2);
}

/** The part of the state that the traits decide; a metric nobody knows keeps what was there. */
export function stateFromTraits(
  { message }: JointStress,
  traits: Pick<JointStressViewTraits, "stress" | "metric">,
  before: Pick<State, "metric"> = { metric: 0 },
): Pick<State, "stress" | "metric"> {
  const metric = message.outcomes.metrics.findIndex(({ name }) => name === traits.metric);
  return { stress: readStress(traits.stress), metric: metric < 0 ? before.metric : metric };
}
