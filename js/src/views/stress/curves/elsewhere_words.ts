/** Sentences on a stress set elsewhere that these curves do not show as it is. */

import type { Hold, Stress } from "../../../wire/shared_stress";
import type { StressCurvesMessage } from "../../../wire/stress/curves";
import { movedWords, tauWords } from "../../shared/words";

const HOLD_WORDS: Record<Hold, string> = {
  none: "nothing held",
  means: "the other means held",
  uncorrelated: "the other means held, uncorrelated",
};

/** A stress of several features, of one that is not here, or with something else held. */
export function foreignWords({ features, hold }: StressCurvesMessage, stress: Stress): string {
  const moved = Object.entries(stress.taus);
  const strange = moved.find(([name]) => !features.some((feature) => feature.name === name));
  const why = strange
    ? `there is no feature ${strange[0]} here`
    : moved.length > 1
      ? "these curves move one feature at a time"
      : `these curves are with ${HOLD_WORDS[hold]}, that stress with ${HOLD_WORDS[stress.hold]}`;
  return `The stress set elsewhere moves ${movedWords(moved)}, and is not what is shown: ${why}.`;
}

/** A stress between two steps. */
export function farWords(tau: number, near: number): string {
  return `The stress set elsewhere is ${tauWords(tau)}; shown is the nearest step of these curves, ${tauWords(near)}.`;
}
