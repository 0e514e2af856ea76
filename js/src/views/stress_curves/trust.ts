/** How far an estimate under stress can be believed, from its effective sample and its weights' tail. */

/** 0: value and interval; 1: the value, not its interval; 2: neither. */
export type Trust = 0 | 1 | 2;

/** Fewer effective rows than this, and no interval is to be believed. */
export const FEWEST_ROWS = 30;
/** Pareto k̂ past which the weights have no finite variance in the population. */
export const INTERVAL_LIMIT = 0.5;
/** Pareto k̂ past which the estimate itself is unreliable. */
export const ESTIMATE_LIMIT = 0.7;

export function trustOf(ess: number, paretoK: number): Trust {
  if (!(paretoK <= ESTIMATE_LIMIT)) return 2;
  return ess >= FEWEST_ROWS && paretoK <= INTERVAL_LIMIT ? 0 : 1;
}

/** The word beside k̂. */
export function paretoWord(paretoK: number): string {
  if (!(paretoK <= ESTIMATE_LIMIT)) return "estimate not trustworthy";
  return paretoK <= INTERVAL_LIMIT ? "good" : "interval not trustworthy";
}
