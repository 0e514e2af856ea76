/** What a metric is called, and in what it is counted. */

import { type Infer, list, notEmpty, object, oneOf, text, texts } from "./schema";

export const metricMessage = object({
  name: text,
  label: text,
  kind: oneOf("share", "value"),
  /** What it calls the rows it counts, and those it does not. */
  events: texts,
});
export type MetricMessage = Infer<typeof metricMessage>;

export const metricMessages = notEmpty(list(metricMessage), "name at least one metric");
