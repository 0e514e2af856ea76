/** Which metric the curves show; the ROC plane when both its rates are there. */

import { createMetricPicker } from "../../shared/metric_picker";
import type { Context, Part } from "./context";
import { metricName, metricNamed } from "./state";

const ROC = { name: "roc", label: "ROC: true against false positive rate" };

export function createCurvePicker({ data, intend, roc, signal }: Context): Part {
  const { message } = data;
  const options = [...message.metrics, ...(roc ? [ROC] : [])];
  const choose = (position: number, event: Event) =>
    intend({ metric: metricNamed(message, options[position]?.name ?? "") ?? 0 }, event);
  const element = createMetricPicker(options, signal, choose);
  return {
    element,
    update({ metric }) {
      element.value = metricName(message, metric);
    },
  };
}
