/** Why a number is reliable, wide or unreliable: levels and sentences in Python's words, codes and amounts by cell. */

import { type Infer, list, notEmpty, number, object, oneOf, text } from "./schema";

/** Number and interval can be read; the interval, not the number; neither. */
export const LEVELS = ["reliable", "wide", "unreliable"] as const;
export const level = oneOf(...LEVELS);
/** Place among `LEVELS`. */
export type Level = 0 | 1 | 2;

const reasonMessage = object({
  name: text,
  level,
  /**
   * With {amount}, {events} and {non_events} in place of the cell's and the metric's own, {share} in place of a
   * percentage; "" for none.
   */
  words: text,
  /** The same for an amount below 2. */
  few: text,
  /** Of the amount: 0 for rows and events, 2 for k̂. */
  decimals: number,
});
export type ReasonMessage = Infer<typeof reasonMessage>;

/** Reasons by their code. */
export const reasonMessages = notEmpty(list(reasonMessage), "name at least one reason");
export type Reasons = readonly ReasonMessage[];

/** What decides over one number: a code among the reasons, and the amount that its sentence quotes. */
export interface Judged {
  readonly reason: number;
  readonly amount: number;
  /** Of all weight, that carriers hold. */
  readonly share?: number;
}

/** The few rows that carry the weight moved, and their share of it; both 0 where they are not few. */
export const carriersMessage = object({ n: number, share: number });

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
