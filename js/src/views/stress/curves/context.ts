/** What every part of the panel is given: the data, its formats, and the way to ask for a change. */

import {
  type Formatter,
  featureFormat,
  type QuantityFormat,
  quantityFormat,
  span,
  tauFormat,
} from "../../../theme/formats";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import { type Level, levelOf } from "../../../wire/reasons";
import type { StressCurves } from "../../../wire/stress/curves";
import { memoize } from "../../shared/memoize";
import type { Part as AnyPart } from "../../shared/part";
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
  /** How reliable a choice is at each τ, of two metrics the worse. */
  readonly levels: (feature: number, choice: MetricChoice) => readonly Level[];
  /** The metrics behind a choice: one, or the true and the false positive rate. */
  readonly measures: (choice: MetricChoice) => readonly number[];
}

export type Part = AnyPart<State>;

/** The worst level of some metrics at each τ. */
function worstLevels(data: StressCurves, feature: number, metrics: readonly number[]): Level[] {
  const codes = metrics.map((metric) => data.curve(feature, metric).reason);
  return data.message.taus.map(
    (_, t) =>
      Math.max(0, ...codes.map((reason) => levelOf(data.message.reliability, reason[t] as number))) as Level,
  );
}

export function createContext(
  data: StressCurves,
  actions: Pick<Context, "signal" | "intend" | "point">,
): Context {
  const { message } = data;
  const roc = rocMetrics(message);
  const measures = (choice: MetricChoice) =>
    choice === "roc" ? (roc ? [roc.truePositive, roc.falsePositive] : []) : [choice];
  return {
    ...actions,
    data,
    roc,
    tau: tauFormat(message.taus),
    target: memoize((feature) => {
      const about = message.features[feature] as CurvesFeatureMessage;
      return featureFormat(about, span(data.population(feature).target));
    }),
    metric: memoize((metric) => {
      const kind = message.metrics[metric]?.kind ?? "value";
      const range = span(...message.features.map((_, feature) => data.curve(feature, metric).value));
      return quantityFormat(kind, range, 3);
    }),
    levels: (feature, choice) => worstLevels(data, feature, measures(choice)),
    measures,
  };
}
