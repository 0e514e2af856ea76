/** What a metric is called, and in what it is counted. */

import { list, oneOf, record, text } from "./fields";
import { WireError } from "./wire_error";

export interface MetricMessage {
  readonly name: string;
  readonly label: string;
  readonly kind: "share" | "value";
}

export function checkMetric(value: unknown, where: string): MetricMessage {
  const metric = record(value, where);
  return {
    name: text(metric.name, `${where}.name`),
    label: text(metric.label, `${where}.label`),
    kind: oneOf(metric.kind, `${where}.kind`, ["share", "value"]),
  };
}

/** The metrics of a message, at least one. */
export function checkMetrics(value: unknown): MetricMessage[] {
  const metrics = list(value, "metrics").map((metric, k) => checkMetric(metric, `metrics[${k}]`));
  if (metrics.length === 0) throw new WireError('"metrics" must name at least one metric, received none');
  return metrics;
}
