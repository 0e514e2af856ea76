/** A column of levels in one row, which opens and closes; so does the fold of its other levels. */

import { createButton } from "../../marks/button";
import { html, showText } from "../../marks/element";
import { listenToKeys } from "./keys";
import { counted } from "./words";

export interface CategoryRow {
  readonly element: HTMLElement;
  /** @param now what of it is moved, in words; "" for nothing */
  update(open: boolean, chosen: boolean, now: string): void;
}

/** @param toggle called with whether it is to be open */
export function createCategoryRow(
  { label, of, nLevels }: { readonly label: string; readonly of: string; readonly nLevels: number },
  toggle: (open: boolean) => void,
  signal: AbortSignal,
): CategoryRow {
  const levels = `${counted(nLevels, "level")}`;
  const now = html("span", { class: "ts-category-now" });
  const button = createButton(
    {
      class: "ts-category-toggle",
      "aria-expanded": "false",
      "aria-label": of ? `${label} ${levels} of ${of}` : `${label} ${levels}`,
      "data-testid": "category",
    },
    [
      html("span", { class: "ts-feature", title: label }, label),
      " ",
      html("span", { class: "ts-quiet ts-n-levels" }, levels),
    ],
    () => toggle(!open),
    signal,
  );
  const element = html("div", { class: `ts-row ts-category${of ? " ts-level" : ""}` }, button, now);
  let open = false;
  listenToKeys(
    button,
    ({ key }) => {
      const wanted = key === "ArrowRight";
      if (!wanted && key !== "ArrowLeft") return false;
      if (wanted !== open) toggle(wanted);
      return true;
    },
    signal,
  );
  return {
    element,
    update(next, chosen, words) {
      open = next;
      button.setAttribute("aria-expanded", String(open));
      element.classList.toggle("ts-is-chosen", chosen && !open);
      showText(now, open ? "" : words);
    },
  };
}
