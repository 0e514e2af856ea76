/** What the table says in words. */

import { count, quantityFormat } from "../../../theme/formats";
import type { RowGroupMessage, TableMessage } from "../../../wire/messages";
import type { RowFilter } from "../../../wire/workspace/table";
import type { Sentence } from "../../shared/words";
import { rowsOf } from "../../shared/words";
import type { DerivedView } from "./derive_view";

const percent = quantityFormat("share", 1).value;

export const FILTER_WORDS: Readonly<Record<RowFilter, string>> = {
  all: "all rows",
  errors: "misclassified rows",
  near: "the 5 % nearest to the threshold",
  selected: "selected rows",
  inside: "rows inside the rule",
};

const under = (after: number | null) => (after === null ? "" : `, ${percent(after)} under the stress`);

/** "8.1 % of the weight, 9.0 % under the stress; misclassified 12.8 %, 14.1 % under the stress". */
export function groupWords({ share, share_after, errors, errors_after }: RowGroupMessage): string {
  const parts = [`${percent(share)} of the weight${under(share_after)}`];
  if (errors !== null) parts.push(errorWords(errors, errors_after));
  return parts.join("; ");
}

const errorWords = (errors: number, after: number | null) =>
  `misclassified ${percent(errors)}${under(after)}`;

export function foundWords({ listing, state, inside }: DerivedView, { n_rows }: TableMessage): Sentence {
  if (!listing) return { strong: "", rest: "The kernel lists the rows…" };
  const { n, found } = listing;
  const { errors, errors_after } = found;
  if (n === 0) return { strong: "No row", rest: " is found." };
  if (n === n_rows) {
    return {
      strong: `All ${rowsOf(n)}`,
      rest: errors === null ? "" : `: ${errorWords(errors, errors_after)}`,
    };
  }
  // misclassified rows are so, all of them
  const said = state.filter === "errors" ? { ...found, errors: null } : found;
  const where = state.filter === "inside" && inside ? ` inside ${inside.words}` : "";
  return { strong: `${count(n)} of ${rowsOf(n_rows)}`, rest: `${where}: ${groupWords(said)}` };
}

export function selectedWords({ listing, state }: DerivedView): Sentence {
  const n = state.selection.length;
  if (n === 0) return { strong: "None selected", rest: "" };
  const of = listing && listing.selected.n === n ? `: ${groupWords(listing.selected)}` : "";
  return { strong: `${rowsOf(n)} selected`, rest: of };
}

/** Told to screen readers once the view has come to rest. */
export function spokenWords(view: DerivedView, message: TableMessage): string {
  const [found, chosen] = [foundWords(view, message), selectedWords(view)];
  return `${found.strong}${found.rest}. ${chosen.strong}${chosen.rest}.`;
}
