/** How far an estimate under stress can be believed, from its effective sample and its weights' tail. */

import { count, paretoK as formatK } from "../../theme/formats";
import { capitalize, type Sentence } from "./words";

/** 0: value and interval; 1: the value, not its interval; 2: neither. */
export type Reliability = 0 | 1 | 2;

/** Fewer effective rows than this, and no interval is to be believed. */
export const MIN_ESS = 30;
/** Pareto k̂ past which the weights have no finite variance in the population. */
export const MAX_K_INTERVAL = 0.5;
/** Pareto k̂ past which the estimate itself is unreliable. */
export const MAX_K_ESTIMATE = 0.7;

export function reliabilityOf(ess: number, paretoK: number): Reliability {
  if (!(paretoK <= MAX_K_ESTIMATE)) return 2;
  return ess >= MIN_ESS && paretoK <= MAX_K_INTERVAL ? 0 : 1;
}

/** What to believe, in Python's words: one for each `Reliability`. */
export type Verdicts = readonly string[];

/** The word beside k̂. */
export function paretoWord(verdicts: Verdicts, paretoK: number): string {
  const reliability = reliabilityOf(Infinity, paretoK);
  return reliability === 0 ? "good" : (verdicts[reliability] ?? "");
}

function effectiveRows(ess: number): string {
  const rows = count(ess);
  return `${rows} effective row${rows === "1" ? "" : "s"}`;
}

/** Whether to believe the numbers, and why not. */
export function reliabilityWords(
  verdicts: Verdicts,
  stressed: boolean,
  ess: number,
  nRows: number,
  paretoK: number,
): Sentence {
  const rows = count(nRows);
  if (!stressed) return { strong: "Unstressed:", rest: ` all ${rows} rows count the same.` };
  const reliability = reliabilityOf(ess, paretoK);
  const strong = `${capitalize(verdicts[reliability] ?? "")}:`;
  if (reliability === 0) return { strong, rest: ` ${effectiveRows(ess)}, none of them dominating.` };
  const causes: string[] = [];
  const limit = reliability === 2 ? MAX_K_ESTIMATE : MAX_K_INTERVAL;
  if (!(paretoK <= limit)) causes.push(`few rows dominate (k̂ ${formatK(paretoK)} > ${limit})`);
  if (!(ess >= MIN_ESS)) causes.push(`${effectiveRows(ess)} (< ${MIN_ESS})`);
  return { strong, rest: ` ${causes.join(", ")}.` };
}
