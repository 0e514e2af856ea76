/** Which metric the curves show; the ROC plane when both its rates are there. */

import { html, OWN_KEYS } from "../../../marks/element";
import { heading } from "../../shared/words";
import type { Context, Part } from "./context";
import { metricName, metricNamed } from "./state";

const ROC_WORDS = "ROC: true against false positive rate";

export function createMetricPicker({ data, intend, roc, signal }: Context): Part {
  const { message } = data;
  const options = message.metrics.map(({ name, label }) => html("option", { value: name }, heading(label)));
  if (roc) options.push(html("option", { value: "roc" }, ROC_WORDS));
  const picker = html(
    "select",
    {
      class: "ts-heading",
      "aria-label": "Metric shown",
      "data-testid": "metric",
      ...OWN_KEYS,
    },
    ...options,
  );
  picker.addEventListener(
    "change",
    (event) => intend({ metric: metricNamed(message, picker.value) ?? 0 }, event),
    {
      signal,
    },
  );
  return {
    element: picker,
    update({ metric }) {
      picker.value = metricName(message, metric);
    },
  };
}
