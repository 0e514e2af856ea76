/** Why a number is reliable, wide or unreliable: levels and sentences in Python's words, codes and amounts by cell. */

import type { DoubtMessage, ReasonMessage } from "./messages";

/** Largest less smallest, which are places among the groups. */
export interface Gap {
  readonly largest: number;
  readonly smallest: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** What a gap is sent as. */
export const OF_GAP = ["largest", "smallest", "gap", "gap_lower", "gap_upper"] as const;

/** A metric with its interval, as the kernel sends it, and how far groups are apart. */
export function gapOf(sent: Readonly<Record<(typeof OF_GAP)[number], number>>): Gap {
  const { largest, smallest, gap: value, gap_lower: lower, gap_upper: upper } = sent;
  return { largest, smallest, value, lower, upper };
}

/** Number and interval can be read; the interval, not the number; neither. */
export const LEVELS = ["reliable", "wide", "unreliable"] as const satisfies readonly DoubtMessage["level"][];
/** Place among `LEVELS`. */
export type Level = 0 | 1 | 2;

/** By their code. */
export type Reasons = readonly ReasonMessage[];

/** What decides over one number: a code among the reasons, and the amount that its sentence quotes. */
export interface Judged {
  readonly reason: number;
  readonly amount: number;
  /** Of all weight, that carriers hold. */
  readonly share?: number;
}

/** The byte that stands for every larger amount. */
const MOST = 255;

/** A code and an amount from their bytes; k̂ comes in hundredths. */
export function judgedFrom(reasons: Reasons, code: number, byte: number): Judged {
  if (reasons[code]?.decimals !== 2) return { reason: code, amount: byte };
  return { reason: code, amount: byte === MOST ? Infinity : byte / 100 };
}

export function levelOf(reasons: Reasons, code: number): Level {
  return LEVELS.indexOf(reasons[code]?.level ?? "unreliable") as Level;
}
