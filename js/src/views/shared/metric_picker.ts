/** Which metric is shown. */

import { html, listen } from "../../marks/element";
import { capitalize } from "./words";

/** @param choose called with the position of the option chosen */
export function createMetricPicker(
  options: readonly { readonly name: string; readonly label: string }[],
  choose: (position: number, event: Event) => void,
  signal: AbortSignal,
): HTMLSelectElement {
  const picker = html(
    "select",
    { class: "ts-heading", "aria-label": "Metric shown", "data-testid": "metric" },
    ...options.map(({ name, label }) => html("option", { value: name }, capitalize(label))),
  );
  listen(picker, "change", (event) => choose(picker.selectedIndex, event), signal);
  return picker;
}
