/** Sentences of the panel. */

import type { FeatureMessage } from "../../../wire/stress/curves";
import { capitalize, type Sentence } from "../../shared/words";

/** The population in words, before any chart. */
export function populationWords(
  feature: FeatureMessage,
  before: string,
  now: string,
  stressed: boolean,
  rows: string,
): Sentence {
  if (!stressed) return { strong: "the data as they are:", rest: ` ${rows} rows` };
  const rest = ` instead of ${before}, weights changed as little as possible`;
  return feature.kind === "share"
    ? { strong: `share of ${feature.name} ${now}`, rest }
    : { strong: `${feature.name} ${now} on average`, rest };
}

export interface CurveEnds {
  readonly metric: string;
  readonly low: string;
  readonly unstressed: string;
  readonly high: string;
}

/** A chart for those who do not see it: what is drawn, and where the chosen curve starts, crosses and ends. */
export function chartWords(
  feature: string,
  features: number,
  curves: readonly CurveEnds[],
  [first, last]: readonly [string, string],
): string {
  const drawn =
    curves.length > 1
      ? curves.map(({ metric }) => metric).join(" against ")
      : `${curves[0]?.metric} against τ`;
  const lines = features === 1 ? "one feature" : `each of ${features} features`;
  const ends = curves.map(
    ({ metric, low, unstressed, high }) =>
      `${capitalize(metric)} under stress of ${feature}: ${low} at τ ${first}, ${unstressed} unstressed, ${high} at τ ${last}.`,
  );
  return [`${capitalize(drawn)}, one line for ${lines}.`, ...ends].join(" ");
}
