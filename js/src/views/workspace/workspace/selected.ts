/** The rows selected, in every view: how many, what they weigh as tested and now, and which they are. */

import { createButton } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import { quantityFormat } from "../../../theme/formats";
import type { SelectedMessage } from "../../../wire/messages";
import { isStressed, sameStress } from "../../../wire/shared_stress";

import { rowsOf } from "../../shared/words";
import type { ShareOf } from "../../stress/joint/answers";
import type { View } from "../../stress/joint/context";

const percent = quantityFormat("share", 1).value;

export interface Selected {
  readonly element: HTMLElement;
  /**
   * @param view null before the population is known
   * @param byKernel what the kernel says of them, where the rows are there
   */
  update(selection: readonly number[], view: View | null, byKernel: SelectedMessage | null): void;
}

/** Shares, and whether they are of the stress before. */
interface Told {
  readonly shares: ShareOf | null;
  readonly late: boolean;
}

/** What the kernel said last of these rows. */
function toldByKernel(selection: readonly number[], { state }: View, told: SelectedMessage | null): Told {
  const total = selection.reduce((sum, row) => sum + row, 0);
  if (!told || told.n !== selection.length || told.total !== total) return { shares: null, late: true };
  const { stress, share: before, share_after: now } = told;
  return {
    shares: { before, now: isStressed(stress) ? now : before },
    late: !sameStress(stress, state.stress),
  };
}

/** "Selected 37 rows, 2.3 % of the weight (1.9 % as tested):" */
export function selectedWords(n: number, shares: ShareOf | null, stressed: boolean): string {
  const start = `Selected ${rowsOf(n)}`;
  if (!shares) return `${start}:`;
  if (!stressed) return `${start}, ${percent(shares.before)} of the weight:`;
  const now = Number.isFinite(shares.now) ? `${percent(shares.now)} of the weight` : "no weight to be had";
  return `${start}, ${now} (${percent(shares.before)} as tested):`;
}

/** @param clear the selection */
export function createSelected(nRows: number, clear: () => void, signal: AbortSignal): Selected {
  const words = html("span", { role: "status", "data-testid": "selected-words" });
  const places = html("input", {
    type: "text",
    readonly: true,
    class: "ts-selected-rows",
    "aria-label": "Positions of the rows selected, to be copied",
    title: "Click, then copy: positions of the rows selected",
    "data-testid": "selected-rows",
  });
  listen(places, "focus", () => places.select(), signal);
  const button = createButton({ "data-testid": "clear-selection" }, "Clear", clear, signal);
  const element = html(
    "div",
    { class: "ts-selected", "data-testid": "selection", hidden: true },
    words,
    places,
    button,
  );
  let known: readonly number[] | null = null;
  const within = new Uint8Array(nRows);
  return {
    element,
    update(selection, view, byKernel) {
      element.hidden = selection.length === 0;
      if (selection !== known) {
        within.fill(0);
        for (const row of selection) within[row] = 1;
        places.value = selection.join(", ");
        known = selection;
      }
      if (element.hidden) return;
      const here = view?.answer.shareOf?.(within);
      const told = here ? { shares: here, late: false } : view && toldByKernel(selection, view, byKernel);
      const stressed = view !== null && isStressed(view.state.stress);
      setText(words, selectedWords(selection.length, told?.shares ?? null, stressed));
      element.classList.toggle("ts-is-stale", told?.late === true);
    },
  };
}
