/** What population a stress makes, in a sentence. */

import type { Solved } from "../../solve/stress/solver";
import { featureFormat, isShare } from "../../theme/formats";
import type { Columns } from "../../wire/columns";
import type { ColumnMessage } from "../../wire/messages";
import type { Hold, Stress } from "../../wire/shared_stress";
import { quotedName } from "./words";

/** One mean that a stress has moved, "age 45.0 on average (was 38.8)"; numbers as they are to be read. */
export function moveWords(
  feature: Pick<ColumnMessage, "kind" | "name"> & { readonly unit?: string },
  before: string,
  now: string,
): string {
  const after = isShare(feature) ? `for ${now} of rows` : `${now} on average`;
  return `${quotedName(feature.name)} ${after} (was ${before})`;
}

/** What of the other features stays where it is. */
export const HOLD_WORDS = {
  none: "otherwise as similar as possible",
  means: "the other means held",
  uncorrelated: "the other means held, and uncorrelated with it",
};

/** The same behind a sentence, which says it where something is held alone. */
export const heldWords = (hold: Hold) => (hold === "none" ? "" : `, ${HOLD_WORDS[hold]}`);

/** The population in words: "age 45.0 on average (was 38.8), the other means held". */
export function populationWords(
  { message, place }: Columns,
  stress: Stress,
  achieved: Solved["achieved"],
): string {
  const parts = Object.keys(stress.taus).map((name) => {
    const k = place.get(name) as number;
    const about = message.features[k] as ColumnMessage;
    const show = featureFormat(about, about.high - about.low).value;
    return moveWords(about, show(about.mean), show(achieved(k)));
  });
  return `${parts.join(", ")}${heldWords(stress.hold)}`;
}
