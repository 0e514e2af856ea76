/** What a metric is called, and in what it is counted. */

import { type Infer, list, notEmpty, object, oneOf, text, texts } from "./schema";

/** A share and a score lie in [0, 1]; a share is written in per cent, the others as numbers. */
export const metricKind = oneOf("share", "score", "value");
export type MetricKind = Infer<typeof metricKind>;

export const metricMessage = object({
  name: text,
  label: text,
  kind: metricKind,
  /** What it calls the rows it counts, and those it does not. */
  events: texts,
});
export type MetricMessage = Infer<typeof metricMessage>;

export const metricMessages = notEmpty(list(metricMessage), "name at least one metric");
