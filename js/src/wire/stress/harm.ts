/** The message of a view of shifts of one size: the same words as in Python, checked once, then only read. */

import { type HarmShiftMessage, stressHarmMessage } from "../messages";
import { WireError } from "../schema";

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
