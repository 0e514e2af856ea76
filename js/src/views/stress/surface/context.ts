/** What every part of the surface's panel is given: the data, its formats, and the way to ask for a change. */

import { type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import { type Level, levelOf } from "../../../wire/reasons";
import type { StressSurface } from "../../../wire/stress/surface";
import type { State } from "./state";

export interface Context {
  readonly data: StressSurface;
  readonly signal: AbortSignal;
  /** Ask for a new cell or metric; `event` is the input that caused it. */
  readonly intend: (change: Partial<Pick<State, "at" | "metric">>, event: Event) => void;
  readonly target: (side: number) => QuantityFormat;
  readonly metric: (metric: number) => QuantityFormat;
  /** How reliable a metric is at a cell. */
  readonly level: (metric: number, place: number) => Level;
  /** A name for an element that no other view in the page has. */
  readonly id: (name: string) => string;
}

export function createContext(data: StressSurface, actions: Pick<Context, "signal" | "intend">): Context {
  const { message } = data;
  const suffix = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36);
  const targets = message.sides.map(({ kind, targets }) => quantityFormat(kind, span(targets)));
  const metrics = message.metrics.map(({ kind }, k) => quantityFormat(kind, span(data.metric(k).value), 3));
  return {
    ...actions,
    data,
    target: (side) => targets[side] as QuantityFormat,
    metric: (k) => metrics[k] as QuantityFormat,
    level: (metric, place) => levelOf(message.reliability, data.reason(metric)[place] as number),
    id: (name) => `ts-${name}-${suffix}`,
  };
}
