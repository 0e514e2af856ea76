/** A box to look for something by its words. */

import { html, listen } from "./element";

/** @param search called with what is looked for */
export function createSearchBox(
  name: string,
  placeholder: string,
  signal: AbortSignal,
  search: (query: string, event: Event) => void,
): HTMLInputElement {
  const box = html("input", {
    ...{ type: "search", class: "ts-search", placeholder, "aria-label": name },
    ...{ autocomplete: "off", spellcheck: "false", "data-testid": "search" },
  });
  listen(box, "input", signal, (event) => search(box.value, event));
  return box;
}
