/** How far an estimate under stress can be believed, from its effective sample and its weights' tail. */

import { count, paretoK as formatK } from "../../theme/formats";
import type { Sentence } from "./words";

/** 0: value and interval; 1: the value, not its interval; 2: neither. */
export type Reliability = 0 | 1 | 2;

/** Fewer effective rows than this, and no interval is to be believed. */
export const FEWEST_ROWS = 30;
/** Pareto k̂ past which the weights have no finite variance in the population. */
export const INTERVAL_LIMIT = 0.5;
/** Pareto k̂ past which the estimate itself is unreliable. */
export const ESTIMATE_LIMIT = 0.7;

export function reliabilityOf(ess: number, paretoK: number): Reliability {
  if (!(paretoK <= ESTIMATE_LIMIT)) return 2;
  return ess >= FEWEST_ROWS && paretoK <= INTERVAL_LIMIT ? 0 : 1;
}

/** The word beside k̂. */
export function paretoWord(paretoK: number): string {
  if (!(paretoK <= ESTIMATE_LIMIT)) return "estimate not trustworthy";
  return paretoK <= INTERVAL_LIMIT ? "good" : "interval not trustworthy";
}

function effectiveRows(ess: number): string {
  const rows = count(ess);
  return `${rows} effective row${rows === "1" ? "" : "s"}`;
}

/** Whether to believe the numbers, and why not. */
export function reliabilityWords(stressed: boolean, ess: number, nRows: number, paretoK: number): Sentence {
  const rows = count(nRows);
  if (!stressed) return { strong: "Unstressed:", rest: ` all ${rows} rows count the same.` };
  const trust = reliabilityOf(ess, paretoK);
  if (trust === 0)
    return { strong: "Trustworthy:", rest: ` ${effectiveRows(ess)}, none of them dominating.` };
  const causes: string[] = [];
  const limit = trust === 2 ? ESTIMATE_LIMIT : INTERVAL_LIMIT;
  if (!(paretoK <= limit)) causes.push(`few rows dominate (k̂ ${formatK(paretoK)} > ${limit})`);
  if (!(ess >= FEWEST_ROWS)) causes.push(`${effectiveRows(ess)} (< ${FEWEST_ROWS})`);
  const doubted = trust === 2 ? "Value and interval not trustworthy:" : "Interval not trustworthy:";
  return { strong: doubted, rest: ` ${causes.join(", ")}.` };
}
