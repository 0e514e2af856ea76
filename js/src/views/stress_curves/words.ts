/** Sentences of the panel. */

import { count, paretoK as formatK } from "../../theme/formats";
import type { FeatureMessage } from "../../wire/stress_curves";
import { ESTIMATE_LIMIT, FEWEST_ROWS, INTERVAL_LIMIT, trustOf } from "./trust";

export interface Sentence {
  readonly strong: string;
  readonly rest: string;
}

/** A label where a sentence would start. */
export function heading(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The population in words, before any chart. */
export function populationWords(
  feature: FeatureMessage,
  before: string,
  now: string,
  stressed: boolean,
  rows: string,
): Sentence {
  if (!stressed) return { strong: "the data as they are:", rest: ` ${rows} rows` };
  const rest = ` instead of ${before}, all else as close as can be`;
  return feature.kind === "share"
    ? { strong: `share of ${feature.name} ${now}`, rest }
    : { strong: `${feature.name} ${now} on average`, rest };
}

/** What a slider says of itself: "τ 0.25, age 45.0 on average". */
export function sliderWords(
  feature: Pick<FeatureMessage, "kind" | "name">,
  tau: string,
  target: string,
): string {
  return feature.kind === "share"
    ? `τ ${tau}, share of ${feature.name} ${target}`
    : `τ ${tau}, ${feature.name} ${target} on average`;
}

function effectiveRows(ess: number): string {
  const rows = count(ess);
  return `${rows} effective row${rows === "1" ? "" : "s"}`;
}

/** Whether to believe the numbers, and why not. */
export function trustWords(stressed: boolean, ess: number, nRows: number, paretoK: number): Sentence {
  const rows = count(nRows);
  if (!stressed) return { strong: "Unstressed:", rest: ` all ${rows} rows count the same.` };
  const trust = trustOf(ess, paretoK);
  if (trust === 0)
    return { strong: "Trustworthy:", rest: ` ${effectiveRows(ess)}, none of them dominating.` };
  const causes: string[] = [];
  const limit = trust === 2 ? ESTIMATE_LIMIT : INTERVAL_LIMIT;
  if (!(paretoK <= limit)) causes.push(`few rows dominate (k̂ ${formatK(paretoK)} > ${limit})`);
  if (!(ess >= FEWEST_ROWS)) causes.push(`${effectiveRows(ess)} (< ${FEWEST_ROWS})`);
  const doubted = trust === 2 ? "Value and interval not trustworthy:" : "Interval not trustworthy:";
  return { strong: doubted, rest: ` ${causes.join(", ")}.` };
}

export interface CurveEnds {
  readonly index: string;
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
    curves.length > 1 ? curves.map(({ index }) => index).join(" against ") : `${curves[0]?.index} against τ`;
  const lines = features === 1 ? "one feature" : `each of ${features} features`;
  const ends = curves.map(
    ({ index, low, unstressed, high }) =>
      `${heading(index)} under stress of ${feature}: ${low} at τ ${first}, ${unstressed} unstressed, ${high} at τ ${last}.`,
  );
  return [`${heading(drawn)}, one line for ${lines}.`, ...ends].join(" ");
}
