/** The messages of a worst case: the same words as in Python, checked once, then only read. */

import {
  type WorstCaseMessage,
  type WorstPathMessage,
  type WorstStepMessage,
  worstCaseMessage,
  worstPathMessage,
} from "../messages";
import type { Stress } from "../shared_stress";

export const decodeWorstCase = (value: unknown): WorstCaseMessage => worstCaseMessage(value, "message");
export const decodeWorstPath = (value: unknown): WorstPathMessage => worstPathMessage(value, "path");

/** The sliders that make a worst case; null where none do. */
export function worstStress({ taus, unsaid }: WorstStepMessage): Stress | null {
  return unsaid ? null : { taus, hold: "none" };
}
