/** What every part of the panel is given: the data, its formats, and the way to ask for a change. */

import type { FeasibleRange } from "../../../solve/stress/ranges";
import {
  type Formatter,
  featureFormat,
  type QuantityFormat,
  quantityFormat,
  tauFormat,
} from "../../../theme/formats";
import type { ColumnMessage, OutcomeMetricMessage } from "../../../wire/messages";
import { tauOf } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";
import type { Part as AnyPart } from "../../shared/part";
import type { Answer } from "./answers";
import type { State } from "./state";

export interface Context {
  readonly data: JointStress;
  readonly features: readonly ColumnMessage[];
  readonly metrics: readonly OutcomeMetricMessage[];
  readonly signal: AbortSignal;
  /** Whether the kernel has ended, so that no answer comes any more. */
  readonly gone: boolean;
  /** Ask for a new state; `event` is the input that caused it. */
  readonly intend: (change: Partial<State>, event: Event) => void;
  /** Range of τ that the others leave to a feature; null until known. */
  readonly range: (feature: number) => FeasibleRange | null;
  readonly tau: Formatter;
  readonly mean: (feature: number) => QuantityFormat;
  readonly metric: (metric: number) => QuantityFormat;
}

/** What every part is told. */
export interface View {
  readonly state: State;
  readonly answer: Answer;
}

export type Part = AnyPart<View>;

/** The mean that τ asks of a feature, in its unit. */
export function targetAt({ low, mean, high }: ColumnMessage, tau: number): number {
  const end = tau < 0 ? low : high;
  return Math.abs(tau) === 1 ? end : mean + Math.abs(tau) * (end - mean);
}

/** The τ that asks for a mean: what `targetAt` takes back to it. */
export function tauFor({ low, mean, high }: ColumnMessage, target: number): number {
  const tau = target < mean ? (target - mean) / (mean - low) : (target - mean) / (high - mean);
  return Math.min(1, Math.max(-1, tau));
}

/** Positions of the moved features, in the order of their sliders. */
export function movedIn({ stress }: State, features: readonly ColumnMessage[]): number[] {
  return features.flatMap(({ name }, feature) => (tauOf(stress, name) !== 0 ? [feature] : []));
}

export function createContext(
  data: JointStress,
  actions: Pick<Context, "signal" | "intend" | "range" | "gone">,
): Context {
  const { features } = data.columns.message;
  const { metrics } = data.message.outcomes;
  const means = features.map((about) => featureFormat(about, about.high - about.low));
  const values = metrics.map(({ kind }, k) => {
    const { lower, upper, value } = data.message.unstressed[k] ?? { lower: 0, upper: 1, value: 0 };
    const width = upper - lower;
    const range = width > 0 ? 4 * width : Math.abs(value);
    return quantityFormat(kind, kind === "value" ? range : kind === "score" ? Math.min(range, 0.3) : 0.3);
  });
  return {
    ...actions,
    data,
    features,
    metrics,
    tau: tauFormat([0, 0.01]),
    mean: (feature) => means[feature] as QuantityFormat,
    metric: (metric) => values[metric] as QuantityFormat,
  };
}
