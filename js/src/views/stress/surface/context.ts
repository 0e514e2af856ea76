/** What every part of the surface's panel is given: the data, its formats, and the way to ask for a change. */

import { type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import type { StressSurface } from "../../../wire/stress/surface";
import { reliabilityOf } from "../../shared/reliability";
import type { State } from "./state";

export interface Context {
  readonly data: StressSurface;
  readonly signal: AbortSignal;
  /** Ask for a new cell or metric; `event` is the input that caused it. */
  readonly intend: (change: Partial<Pick<State, "at" | "metric">>, event: Event) => void;
  readonly target: (side: number) => QuantityFormat;
  readonly metric: (metric: number) => QuantityFormat;
  /** Whether the interval at a cell is to be believed. */
  readonly isReliable: (place: number) => boolean;
  /** A name for an element that no other view in the page has. */
  readonly id: (name: string) => string;
}

export function createContext(data: StressSurface, actions: Pick<Context, "signal" | "intend">): Context {
  const { message, population } = data;
  const suffix = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36);
  const targets = message.sides.map(({ kind, targets }) => quantityFormat(kind, span(targets)));
  const metrics = message.metrics.map(({ kind }, k) => quantityFormat(kind, span(data.metric(k).value), 3));
  return {
    ...actions,
    data,
    target: (side) => targets[side] as QuantityFormat,
    metric: (k) => metrics[k] as QuantityFormat,
    isReliable: (place) =>
      reliabilityOf(population.ess[place] as number, population.pareto_k[place] as number) === 0,
    id: (name) => `ts-${name}-${suffix}`,
  };
}
