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
export function sliderWords(feature: FeatureMessage, tau: string, target: string): string {
  return feature.kind === "share"
    ? `τ ${tau}, share of ${feature.name} ${target}`
    : `τ ${tau}, ${feature.name} ${target} on average`;
}

/** Whether to believe the numbers, and why not. */
export function trustWords(stressed: boolean, ess: number, nRows: number, paretoK: number): Sentence {
  const rows = count(nRows);
  if (!stressed) return { strong: "Unstressed:", rest: ` all ${rows} rows count the same.` };
  const causes: string[] = [];
  if (ess < FEWEST_ROWS) causes.push(`only ${count(ess)} effective rows are left, fewer than ${FEWEST_ROWS}`);
  const k = formatK(paretoK);
  const trust = trustOf(ess, paretoK);
  if (trust === 2) {
    causes.unshift(`a handful of rows carry the answer (k̂ ${k}, above ${ESTIMATE_LIMIT})`);
    return { strong: "Neither value nor interval is trustworthy:", rest: ` ${causes.join("; ")}.` };
  }
  if (trust === 1) {
    if (paretoK > INTERVAL_LIMIT) {
      causes.unshift(`few rows carry much of the weight (k̂ ${k}, above ${INTERVAL_LIMIT})`);
    }
    return { strong: "Interval not trustworthy:", rest: ` ${causes.join("; ")}.` };
  }
  return {
    strong: "Trustworthy:",
    rest: ` the weights leave ${count(ess)} of ${rows} effective rows, and no few rows dominate.`,
  };
}

/** Where a feature's curve starts, crosses and ends. */
export function curveSummary(
  index: string,
  feature: string,
  features: number,
  [low, unstressed, high]: readonly [string, string, string],
): string {
  const lines = features === 1 ? "one feature" : `${features} features`;
  return `${index} against τ, one line for each of ${lines}. ${feature}: ${low} at τ −1, ${unstressed} unstressed, ${high} at τ +1.`;
}
