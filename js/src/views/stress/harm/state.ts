/** What the bars show, from the shared stress: which of them is chosen, if any; and the way back to it. */

import { type HarmShiftMessage, stressHarmMessage } from "../../../wire/messages";
import { WireError } from "../../../wire/schema";
import { isStressed, type Stress, sameStress, UNSTRESSED } from "../../../wire/shared_stress";
import { movedWords } from "../../shared/words";

/** The message, with the shifts that can be chosen before those out of reach. */
export type StressHarm = ReturnType<typeof decodeStressHarm>;

/** The message, with the shifts that can be chosen before those out of reach. */
export function decodeStressHarm(value: unknown) {
  const message = stressHarmMessage(value, "message");
  const out = ({ reliability }: HarmShiftMessage) => reliability === "out of reach";
  const beyond = message.shifts.findIndex((shift) => !out(shift) && !(Math.abs(shift.tau) <= 1));
  if (beyond >= 0) {
    throw new WireError(`"shifts[${beyond}].tau" must lie in [-1, 1] of a shift within reach`);
  }
  return {
    message,
    shifts: message.shifts.filter((shift) => !out(shift)),
    away: message.shifts.filter(out),
  };
}

export interface State {
  /** Place among the shifts within reach; null where the stress is none of them. */
  readonly chosen: number | null;
  readonly stress: Stress;
}

/** The stress that a bar stands for; none for no bar. */
export function stressOf({ message, shifts }: StressHarm, chosen: number | null): Stress {
  const shift = chosen === null ? undefined : shifts[chosen];
  return shift ? { taus: { [shift.feature]: shift.tau }, hold: message.hold } : UNSTRESSED;
}

export function stateOf(data: StressHarm, stress: Stress): State {
  const found = data.shifts.findIndex((_, k) => sameStress(stressOf(data, k), stress));
  return { chosen: found < 0 ? null : found, stress };
}

/** That the stress of other views is none of these shifts; "" where it is one, or nothing is moved. */
export function elsewhereWords({ chosen, stress }: State): string {
  if (chosen !== null || !isStressed(stress)) return "";
  const moved = movedWords(Object.entries(stress.taus));
  return `The stress set elsewhere moves ${moved}, and is none of these shifts.`;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/** The bar that a key leads to, null for none of them; undefined for keys that lead nowhere. */
export function afterKey(key: string, chosen: number | null, size: number): number | null | undefined {
  if (key === "Escape") return null;
  if (size === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return size - 1;
  const step = STEPS[key];
  if (step === undefined) return undefined;
  if (chosen === null) return step > 0 ? 0 : size - 1;
  return Math.max(0, Math.min(size - 1, chosen + step));
}
