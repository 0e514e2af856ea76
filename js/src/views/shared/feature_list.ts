/** What lists of features have in common: remarks on one, and those left out. */

import { createDetails } from "../../marks/details";
import { html } from "../../marks/element";
import { cutMiddle } from "../../marks/text_width";
import { count } from "../../theme/formats";
import { rowsOf } from "./words";

/** About what two lines of the narrowest list hold. */
const MOST_LETTERS = 44;

/** The name that a row shows, cut in its middle; under its column that of the level alone. */
export function rowLabel(
  { name, level }: { readonly name: string; readonly level: string | null },
  ofCategory: boolean,
): string {
  return cutMiddle((ofCategory && level) || name, MOST_LETTERS);
}

/** What τ does not mean for a feature, and how many rows have no value of it. */
export function featureRemarks(feature: {
  readonly note_low: string;
  readonly note_high: string;
  readonly n_missing: number;
}): HTMLElement[] {
  const notes = [feature.note_low, feature.note_high].filter(Boolean);
  const missing = feature.n_missing > 0 ? [`${rowsOf(feature.n_missing)} without a value`] : [];
  return [
    ...notes.map((note) => html("p", { class: "ts-quiet" }, note)),
    ...missing.map((words) => html("p", { class: "ts-quiet" }, words)),
  ];
}

type Skipped = readonly { readonly name: string; readonly reason: string }[];

/** The features left out, each with its reason. */
export function skippedList(skipped: Skipped): HTMLUListElement {
  const entries = skipped.map(({ name, reason }) => html("li", {}, html("b", {}, name), ` ${reason}`));
  return html("ul", {}, ...entries);
}

/** The same, to be opened; nothing where none was left out. */
export function skippedDetails(skipped: Skipped): HTMLElement[] {
  return skipped.length > 0 ? [createDetails(`${count(skipped.length)} left out`, skippedList(skipped))] : [];
}
