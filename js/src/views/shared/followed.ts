/** The population of a view that follows a stress set elsewhere: which one is shown, and how its header says so. */

import type { FollowedMessage as Followed } from "../../wire/messages";
import { isStressed, type Stress, sameStress } from "../../wire/shared_stress";
import { remember } from "./memoize";
import { createPopulationHeader, linkedHint, type PopulationHeader } from "./population";
import { beforeWords, markStressed, notShown } from "./stress_shown";
import type { Sentence } from "./words";

export interface FollowedState<P extends Followed> {
  /** The result's own population, that of the stress, or while `late` the one before. */
  readonly now: P;
  readonly late: boolean;
  /** Why the stress set elsewhere, or its absence, is not shown; "" where it is, or is on its way. */
  readonly problem: string;
  readonly stressed: boolean;
}

/** @param last what was shown last; null the first time */
export function followedState<P extends Followed>(
  offline: string,
  last: P | null,
  stress: Stress,
  told: P,
): FollowedState<P> {
  const now = told.error && last ? last : told;
  const stressed = isStressed(stress);
  if (sameStress(told.stress, stress) || (!stressed && !isStressed(told.stress))) {
    return { now, late: false, problem: told.error, stressed };
  }
  return { now, late: offline === "", problem: offline, stressed };
}

/** Read a population once for each message, and keep the last that had no error. */
export function createReader<P extends Followed>(decode: (value: unknown) => P) {
  const read = remember(decode);
  let last: P | null = null;
  return (of: unknown, offline: string, stress: Stress): FollowedState<P> => {
    const told = read(of);
    if (!told.error) last = told;
    return followedState(offline, last, stress, told);
  };
}

/** @param doing what the kernel does anew: "counts decisions" */
export function followedSentence(
  { now, late, problem, stressed }: FollowedState<Followed>,
  doing: string,
): Sentence {
  const instead = now.words && `Shown for ${now.words}.`;
  if (problem && stressed) return notShown(problem, instead);
  if (problem) return { strong: "the data as they are need a kernel here.", rest: ` ${instead}` };
  return { strong: now.words, rest: late ? beforeWords(doing) : now.aside };
}

/** A header whose view sets no stress: there is nothing to go back from. */
export function createFollowedHeader(nRows: number, signal: AbortSignal): PopulationHeader {
  const header = createPopulationHeader(nRows, signal, () => {});
  header.reset.remove();
  return header;
}

/** Show the population in a header whose view sets no stress. */
export function showFollowed(
  header: PopulationHeader,
  state: FollowedState<Followed>,
  offline: string,
  doing: string,
): void {
  const { now, late, problem } = state;
  markStressed(header, now.moved, late, problem);
  header.say(followedSentence(state, doing));
  header.measure(now, now.moved ? null : linkedHint(offline === ""));
  header.judge({ level: now.level, words: now.doubt });
}
