/** The message of a view of shifts of one size: the same words as in Python, checked once, then only read. */

import { metricMessage } from "../metric";
import {
  type Infer,
  list,
  number,
  numberOrNaN,
  object,
  oneOf,
  refined,
  text,
  version,
  WireError,
} from "../schema";
import { hold } from "../shared_stress";

const REACHED = ["reliable", "wide", "unreliable"] as const;

const shiftMessage = refined(
  object({
    feature: text,
    kind: oneOf("numeric", "share"),
    /** "year" for dates as decimal years, "days" for durations, else "". */
    unit: text,
    direction: oneOf("up", "down"),
    mean: number,
    target: numberOrNaN,
    tau: numberOrNaN,
    value: numberOrNaN,
    change: numberOrNaN,
    lower: numberOrNaN,
    upper: numberOrNaN,
    /** Total variation; of a shift out of reach the most that it has. */
    distance: number,
    ess: numberOrNaN,
    reliability: oneOf(...REACHED, "out of reach"),
    note: text,
  }),
  ({ reliability, tau }, where) => {
    if (reliability === "out of reach" || Math.abs(tau) <= 1) return;
    throw new WireError(`"${where}.tau" must lie in [-1, 1] of a shift within reach, received ${tau}`);
  },
);
export type ShiftMessage = Infer<typeof shiftMessage>;

const stressHarmMessage = object({
  version: version(1),
  title: text,
  /** How large each shift is, of how many rows. */
  size: text,
  n_rows: number,
  metric: metricMessage,
  /** The metric as it is. */
  before: numberOrNaN,
  distance: number,
  confidence: number,
  interval: text,
  /** What stays while a feature moves. */
  hold,
  /** In the order of the table. */
  shifts: list(shiftMessage),
});
export type StressHarmMessage = Infer<typeof stressHarmMessage>;

export type StressHarmTraits = { stress: unknown; message: unknown };

/** The message, with the shifts that can be chosen before those out of reach. */
export interface StressHarm {
  readonly message: StressHarmMessage;
  readonly shifts: readonly ShiftMessage[];
  readonly away: readonly ShiftMessage[];
}

export function decodeStressHarm(value: unknown): StressHarm {
  const message = stressHarmMessage(value, "message");
  const out = ({ reliability }: ShiftMessage) => reliability === "out of reach";
  return {
    message,
    shifts: message.shifts.filter((shift) => !out(shift)),
    away: message.shifts.filter(out),
  };
}
