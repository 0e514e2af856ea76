/** What population a stress makes, in a sentence. */

import type { Solved } from "../../solve/stress/solver";
import { featureFormat } from "../../theme/formats";
import type { ColumnMessage, Columns } from "../../wire/columns";
import type { Stress } from "../../wire/shared_stress";

function meanWords(about: ColumnMessage, now: number): string {
  const { name, kind, mean, low, high } = about;
  const show = featureFormat(about, high - low).value;
  const after = show(now);
  return kind === "share"
    ? `share of ${name} ${after} instead of ${show(mean)}`
    : `${name} ${after} on average instead of ${show(mean)}`;
}

/** What of the other features stays where it is. */
export const HOLD_WORDS = {
  none: "otherwise as similar as possible",
  means: "the other means held",
  uncorrelated: "the other means held, and uncorrelated with it",
};

/** The population in words: "age 45.0 on average instead of 38.8, otherwise as similar as possible". */
export function populationWords(
  { message, place }: Columns,
  stress: Stress,
  achieved: Solved["achieved"],
): string {
  const parts = Object.keys(stress.taus).map((name) => {
    const k = place.get(name) as number;
    return meanWords(message.features[k] as ColumnMessage, achieved(k));
  });
  return `${parts.join("; ")}, ${HOLD_WORDS[stress.hold]}`;
}
