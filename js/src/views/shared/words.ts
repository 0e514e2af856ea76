/** Phrases that several panels use. */

import { count, isShare, UNDEFINED } from "../../theme/formats";

export interface Sentence {
  readonly strong: string;
  readonly rest: string;
}

/** A label where a sentence would start. */
export function capitalize(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** A name among others: in quotation marks where it has in it what joins them, as Python writes it. */
export const quotedName = (name: string) => (/[,;] | (or|and) /.test(name) ? `“${name}”` : name);

/** A change without its unit: "+2.8" of "+2.8 points". */
export const barely = (change: string) => change.replace(" points", "");

/** "1 group", "1,234 groups". */
export const counted = (n: number, noun: string) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** "1 row", "1,234 rows". */
export const rowsOf = (n: number) => counted(n, "row");

/** A τ set elsewhere, on whatever grid: "τ 0.25". */
export const tauWords = (tau: number) => `τ ${tau.toFixed(2).replace("-", "−")}`;

/** Features with their τ: "age (τ 0.25) and income (τ −0.50)". */
export function movedWords(taus: readonly (readonly [name: string, tau: number])[]): string {
  return taus.map(([name, tau]) => `${quotedName(name)} (${tauWords(tau)})`).join(" and ");
}

/** A bracket in words that fit behind a value: "22.0 – 23.3". */
export function intervalWords(lower: string, upper: string): string {
  return lower === UNDEFINED || upper === UNDEFINED ? "no interval" : `${lower} – ${upper}`;
}

/** What a slider says of itself: "τ 0.25, age 45.0 on average". */
export function sliderWords(
  feature: { readonly kind: "numeric" | "share"; readonly name: string; readonly unit?: string },
  tau: string,
  target: string,
): string {
  return isShare(feature)
    ? `τ ${tau}, share of ${feature.name} ${target}`
    : `τ ${tau}, ${feature.name} ${target} on average`;
}

/** What the value in a slider's row is. */
export function valueLabel(feature: {
  readonly kind: "numeric" | "share";
  readonly name: string;
  readonly unit?: string;
}): string {
  return `${isShare(feature) ? "share" : "mean"} of ${feature.name}`;
}
