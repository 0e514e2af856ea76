/** The rows listed as text to copy, in the order shown, each cell as it is read. */

import type { TableMessage } from "../../../wire/messages";
import { columnsShown } from "./cells";
import type { DerivedView } from "./derive_view";

/** Rows copied at most. */
export const MOST_COPIED = 1000;

export interface ListedText {
  readonly cells: readonly (readonly string[])[];
  /** Rows copied of those listed. */
  readonly n: number;
  readonly of: number;
}

/** Head and rows from the first on, as far as they are in the page. */
export function listedText({ listing, stress }: DerivedView, message: TableMessage): ListedText {
  const shown = columnsShown(message).filter(
    ({ role }) => (role !== "before" || message.weighted || stress.now) && (role !== "after" || stress.now),
  );
  const rows: string[][] = [];
  const of = listing?.n ?? 0;
  for (let place = 0; listing && place < Math.min(of, MOST_COPIED) && listing.rowAt(place) >= 0; place++) {
    rows.push(shown.map((column) => column.words(listing, place)));
  }
  return { cells: [shown.map(({ label }) => label), ...rows], n: rows.length, of };
}

const listed = new WeakMap<Element, () => ListedText | null>();

/** Remember what a panel lists, for whoever copies it. */
export function offerListed(panel: Element, list: () => ListedText | null): void {
  listed.set(panel, list);
}

/** What the table of rows within an element lists; null where there is none. */
export function listedIn(element: Element): ListedText | null {
  const panel = element.querySelector(".ts-table-panel");
  return (panel && listed.get(panel)?.()) ?? null;
}
