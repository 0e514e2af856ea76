/** A box for a number, committed on Enter and when it is left. */

import { type Attributes, html, listen } from "../../marks/element";

/** @param commit called with the number, or null for an empty box; not again for the same text */
export function createNumberBox(
  attributes: Attributes,
  signal: AbortSignal,
  commit: (value: number | null, event: Event) => void,
): HTMLInputElement {
  const box = html("input", { type: "number", class: "ts-box-number", ...attributes });
  let committed: string | null = null;
  const end = (event: Event) => {
    if (box.value === committed) return;
    committed = box.value;
    commit(committed === "" ? null : Number(committed), event);
  };
  // a notebook keeps Enter from ending an input's change
  listen(box, "keydown", signal, (event) => event.key === "Enter" && end(event));
  listen(box, "change", signal, end);
  listen(box, "focus", signal, () => {
    committed = box.value;
  });
  return box;
}
