/** Why a number is reliable, wide or unreliable: levels and sentences in Python's words, codes and amounts by cell. */

import { type Arrays, arraysOf, type Interval, mapValues, type Place, uint8 } from "./buffers";
import type { ArrayMessage, DoubtMessage, ReasonMessage } from "./messages";
import type { Bytes } from "./schema";

/** Largest less smallest, which are places among the groups. */
export interface Gap extends Interval {
  readonly largest: number;
  readonly smallest: number;
}

/** What a gap is sent as. */
export const OF_GAP = ["largest", "smallest", "gap", "gap_lower", "gap_upper"] as const;

/** How far groups are apart at one place; null where fewer than two have a value, or no gaps were sent. */
export function gapAt(gaps: Arrays<(typeof OF_GAP)[number]>, at: Place): Gap | null {
  const sent: Partial<Record<string, number>> = mapValues(gaps, (read) => read(at)[0]);
  const { largest = -1, smallest = -1, gap = Number.NaN, gap_lower = gap, gap_upper = gap } = sent;
  return largest >= 0 ? { largest, smallest, value: gap, lower: gap_lower, upper: gap_upper } : null;
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

const REASONED = ["reason", "amount"] as const;
/** The byte that stands for every larger amount. */
const MOST = 255;

/** A code and an amount from their bytes; k̂ comes in hundredths. */
export function judgedFrom(reasons: Reasons, code: number, byte: number): Judged {
  if (reasons[code]?.decimals !== 2) return { reason: code, amount: byte };
  return { reason: code, amount: byte === MOST ? Infinity : byte / 100 };
}

/** Codes and amounts of numbers as a buffer of bytes has them: those of a place, or of the `k`-th from there on. */
export function reasonsOf(
  {
    reliability,
    layout,
  }: { readonly reliability: Reasons; readonly layout: { readonly reasons: readonly ArrayMessage[] } },
  bytes: Bytes,
  sizes: Place,
) {
  const { reason, amount } = arraysOf("reasons", uint8("reasons", bytes), layout.reasons, REASONED, sizes);
  const judged = (at: Place, k = 0) =>
    judgedFrom(reliability, reason(at)[k] as number, amount(at)[k] as number);
  return { reason, judged };
}

export function levelOf(reasons: Reasons, code: number): Level {
  return LEVELS.indexOf(reasons[code]?.level ?? "unreliable") as Level;
}
