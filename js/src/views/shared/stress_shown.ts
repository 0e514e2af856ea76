/** Under which stress a view is shown that the kernel answers: the one set, the one before, or none. */

import { isStressed, type Stress, sameStress } from "../../wire/shared_stress";
import type { PopulationHeader } from "./population";
import { capitalize, rowsOf, type Sentence } from "./words";

export interface StressShown<T> {
  /** What the kernel answered, to this stress or, while `late`, to the one before; null where there is nothing. */
  readonly now: T | null;
  readonly late: boolean;
  /** Why the stress set elsewhere is not shown; "" where it is, or is on its way. */
  readonly problem: string;
}

const AS_THEY_ARE = { now: null, late: false, problem: "" };

/** @param offline why no other stress can be asked for; "" where one can */
export function stressShown<T extends { readonly stress: Stress; readonly error: string }>(
  stress: Stress,
  told: T | null,
  offline: string,
): StressShown<T> {
  if (!isStressed(stress)) return AS_THEY_ARE;
  const now = told?.error ? null : told;
  if (told && sameStress(told.stress, stress)) return { now, late: false, problem: told.error };
  return offline ? { ...AS_THEY_ARE, problem: offline } : { now, late: true, problem: "" };
}

/** That the stress set elsewhere is not shown, why, and what is in its place. */
export function notShown(problem: string, instead: string): Sentence {
  const why = capitalize(problem).replace(/\.$/, "");
  return { strong: "the stress set elsewhere is not shown.", rest: ` ${why}.${instead && ` ${instead}`}` };
}

/** That what is shown is of the stress before. */
export const beforeWords = (doing: string) => ` (before; the kernel ${doing} anew…)`;

export interface StressWords {
  /** What the kernel does for each stress: "weighs the rows". */
  readonly doing: string;
  /** The same before there is anything to show: "weighs the rows under the stress". */
  readonly first: string;
  /** What is shown where the stress is not. */
  readonly instead: string;
}

/** @param nRows 0 where they are not counted */
export function stressSentence(
  { now, late, problem }: StressShown<{ readonly words: string }>,
  nRows: number,
  { doing, first, instead }: StressWords,
): Sentence {
  if (problem) return notShown(problem, instead);
  if (now) return { strong: now.words, rest: late ? beforeWords(doing) : "" };
  if (late) return { strong: "on its way…", rest: ` the kernel ${first}` };
  return { strong: "the data as they are", rest: nRows > 0 ? `: ${rowsOf(nRows)}` : "" };
}

/** Mark a header as one of another population, of the one before, or of none. */
export function markStressed(
  { element, stats, sentence }: PopulationHeader,
  stressed: boolean,
  late: boolean,
  problem: string,
): void {
  element.classList.toggle("ts-is-stressed", stressed);
  stats.classList.toggle("ts-is-stale", late);
  sentence.classList.toggle("ts-notice", problem !== "");
}
