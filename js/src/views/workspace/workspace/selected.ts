/** The rows selected, in every view: how many, what they weigh as tested and now, and which they are. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { count, quantityFormat } from "../../../theme/formats";
import { isStressed } from "../../../wire/shared_stress";
import type { View } from "../../stress/joint/context";

const percent = quantityFormat("share", 1).value;

export interface Selected {
  readonly element: HTMLElement;
  /** @param view null before the population is known */
  update(selection: readonly number[], view: View | null): void;
}

/** "Selected 37 rows, 2.3 % of the weight (1.9 % as tested):" */
export function selectedWords(
  n: number,
  shares: { readonly before: number; readonly now: number } | null,
  stressed: boolean,
): string {
  const start = `Selected ${count(n)} ${n === 1 ? "row" : "rows"}`;
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
    ...OWN_KEYS,
  });
  places.addEventListener("focus", () => places.select(), { signal });
  const button = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "clear-selection", ...OWN_KEYS },
    "Clear",
  );
  button.addEventListener("click", clear, { signal });
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
    update(selection, view) {
      element.hidden = selection.length === 0;
      if (selection !== known) {
        within.fill(0);
        for (const row of selection) within[row] = 1;
        places.value = selection.join(", ");
        known = selection;
      }
      if (element.hidden) return;
      const shares = view?.answer.shareOf?.(within) ?? null;
      const stressed = view !== null && isStressed(view.state.stress);
      setText(words, selectedWords(selection.length, shares, stressed));
      element.classList.toggle("ts-is-stale", view?.answer.stale === true);
    },
  };
}
