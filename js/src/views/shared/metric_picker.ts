/** Which metric is shown. */

import { createPicker } from "../../marks/picker";
import { capitalize } from "./words";

/** @param choose called with the position of the option chosen */
export function createMetricPicker(
  options: readonly { readonly name: string; readonly label: string }[],
  choose: (position: number, event: Event) => void,
  signal: AbortSignal,
): HTMLSelectElement {
  const picker = createPicker(
    { class: "ts-heading", "aria-label": "Metric shown", "data-testid": "metric" },
    options.map(({ name, label }) => [name, capitalize(label)] as const),
    (_, event) => choose(picker.selectedIndex, event),
    signal,
  );
  return picker;
}
