/** The columns of the table: what stands over them, how wide they are, and what a cell says. */

import type { TableMessage } from "../../../wire/messages";
import { entryWords, scoreWords } from "../../shared/entries";
import type { Listing } from "./derive_view";

export interface Shown {
  /** What `sort` calls it; "" for the row's own number. */
  readonly name: string;
  readonly label: string;
  /** Numbers stand at the right. */
  readonly number: boolean;
  readonly role: string;
  words(listing: Listing, place: number): string;
}

const WIDEST = 24;
const WIDEST_HEAD = 18;
const SAMPLED = 60;
const weight = (value: number) => (Number.isNaN(value) ? "" : Number(value.toPrecision(3)).toString());

/** All columns there can be; those of weights are shown where they say something. */
export function columnsShown(message: TableMessage): readonly Shown[] {
  const own: Shown = {
    name: "",
    label: "row",
    number: true,
    role: "row",
    words: (listing, place) => String(listing.rowAt(place)),
  };
  const weights: Shown[] = [
    {
      name: message.weight_name,
      label: "weight",
      number: true,
      role: "before",
      words: (listing, place) => weight(listing.before(place)),
    },
    {
      name: message.after_name,
      label: "under the stress",
      number: true,
      role: "after",
      words: (listing, place) => weight(listing.after(place)),
    },
  ];
  const read = message.columns.map((column, k): Shown => {
    const isScore = column.role === "score";
    return {
      name: column.name,
      label: column.label,
      number: column.kind === "number" || column.kind === "duration",
      role: column.role,
      words: (listing, place) => {
        const value = listing.value(k, place);
        return isScore && !Number.isNaN(value)
          ? scoreWords(message.score_kind === "share", value)
          : entryWords(column, value);
      },
    };
  });
  const said = read.filter(({ role }) => role !== "feature");
  const features = read.filter(({ role }) => role === "feature");
  return [own, ...said, ...weights, ...features];
}

/** Width of a column in characters, from its head and from rows across the list. */
export function widthOf(column: Shown, listing: Listing): number {
  const step = Math.max(1, Math.floor(listing.n / SAMPLED));
  let widest = Math.min(column.label.length + 2, WIDEST_HEAD);
  for (let place = 0; place < listing.n; place += step) {
    if (listing.rowAt(place) >= 0) widest = Math.max(widest, column.words(listing, place).length);
  }
  return Math.max(5, Math.min(widest, WIDEST));
}
