/** What every part of the panel is given: the data, its formats, and the way to ask for a change. */

import { type Formatter, type QuantityFormat, quantityFormat, span, tauFormat } from "../../../theme/formats";
import type { StressCurves } from "../../../wire/stress/curves";
import { memoize } from "../../shared/memoize";
import type { Part as AnyPart } from "../../shared/part";
import { type Reliability, reliabilityOf } from "../../shared/reliability";
import { type MetricChoice, type RocMetrics, rocMetrics, type State } from "./state";

export interface Context {
  readonly data: StressCurves;
  readonly roc: RocMetrics | null;
  readonly signal: AbortSignal;
  /** Ask for a new state; `event` is the input that caused it. */
  readonly intend: (change: Partial<State>, event: Event) => void;
  /** The pointer is on a feature, or on none. */
  readonly point: (feature: number | null) => void;
  readonly tau: Formatter;
  readonly target: (feature: number) => QuantityFormat;
  readonly metric: (metric: number) => QuantityFormat;
  /** Trust at each τ. */
  readonly reliability: (feature: number) => readonly Reliability[];
  /** The metrics behind a choice: one, or the true and the false positive rate. */
  readonly measures: (choice: MetricChoice) => readonly number[];
}

export type Part = AnyPart<State>;

export function createContext(
  data: StressCurves,
  actions: Pick<Context, "signal" | "intend" | "point">,
): Context {
  const { message } = data;
  const roc = rocMetrics(message);
  return {
    ...actions,
    data,
    roc,
    tau: tauFormat(message.taus),
    target: memoize((feature) => {
      const kind = message.features[feature]?.kind ?? "numeric";
      return quantityFormat(kind, span(data.population(feature).target));
    }),
    metric: memoize((metric) => {
      const kind = message.metrics[metric]?.kind ?? "value";
      const range = span(...message.features.map((_, feature) => data.curve(feature, metric).value));
      return quantityFormat(kind, range, 3);
    }),
    reliability: memoize((feature) => {
      const { ess, pareto_k } = data.population(feature);
      return Array.from(ess, (rows, t) => reliabilityOf(rows, pareto_k[t] as number));
    }),
    measures: (choice) => (choice === "roc" ? (roc ? [roc.truePositive, roc.falsePositive] : []) : [choice]),
  };
}
