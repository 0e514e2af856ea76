/** Which metric is shown. */

import { createPicker } from "../../marks/picker";
import { capitalize } from "./words";

/** @param choose called with the position of the option chosen */
export function createMetricPicker(
  options: readonly { readonly name: string; readonly label: string }[],
  signal: AbortSignal,
  choose: (position: number, event: Event) => void,
): HTMLSelectElement {
  const picker = createPicker(
    { class: "ts-heading", "aria-label": "Metric shown", "data-testid": "metric" },
    options.map(({ name, label }) => [name, capitalize(label)] as const),
    signal,
    (_, event) => choose(picker.selectedIndex, event),
  );
  return picker;
}
