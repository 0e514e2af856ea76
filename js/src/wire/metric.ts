/** What a metric is called, and in what it is counted. */

import type { MetricMessage } from "./messages";

/** A share and a score lie in [0, 1]; a share is written in per cent, the others as numbers. */
export type MetricKind = MetricMessage["kind"];
