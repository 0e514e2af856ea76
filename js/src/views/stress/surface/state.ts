/** What the surface shows, as positions into its message; and the way there from the traits. */

import { bisectCenter } from "d3-array";
import { type Stress, tauOf, withTau } from "../../../wire/shared_stress";
import type { StressSurface, StressSurfaceMessage } from "../../../wire/stress/surface";

export interface State {
  /** Position of each feature's τ. */
  readonly at: readonly [number, number];
  readonly metric: number;
  /** The shared stress, other features and all. */
  readonly stress: Stress;
}

/** The cell nearest to the stress of the two features. */
export function stateOf(
  { message }: StressSurface,
  stress: Stress,
  metric: string,
  before: Pick<State, "metric"> = { metric: 0 },
): State {
  const found = message.metrics.findIndex(({ name }) => name === metric);
  const at = message.sides.map(({ name }) => bisectCenter(message.taus, tauOf(stress, name)));
  return { at: at as [number, number], metric: found < 0 ? before.metric : found, stress };
}

/** The shared stress once the map's cell is chosen: its own two features moved, the others left. */
export function stressAt(
  message: StressSurfaceMessage,
  stress: Stress,
  at: readonly [number, number],
): Stress {
  return message.sides.reduce(
    (moved, { name }, side) => withTau(moved, name, message.taus[at[side] as number] as number),
    stress,
  );
}

/** What the shared stress asks for that the map does not show; "" when nothing. */
export function beyondTheMap(message: StressSurfaceMessage, stress: Stress): string {
  const names = message.sides.map(({ name }) => name);
  const others = Object.keys(stress.taus).filter((name) => !names.includes(name));
  const held = stress.hold === "none" ? "" : "holds other features";
  const moved = others.length > 0 ? `also moves ${others.join(", ")}` : "";
  const words = [moved, held].filter(Boolean).join(" and ");
  return words ? `The shared stress ${words}; this map shows its own two features alone.` : "";
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
};

/** Where a key leads from a cell; null for keys that lead nowhere. Shift takes five steps, Home leads to the middle. */
export function cellAfterKey(
  at: readonly [number, number],
  key: string,
  far: boolean,
  zero: number,
  size: number,
): [number, number] | null {
  if (key === "Home") return [zero, zero];
  const step = STEPS[key];
  if (!step) return null;
  const move = (k: 0 | 1) => Math.max(0, Math.min(size - 1, at[k] + (far ? 5 : 1) * step[k]));
  return [move(0), move(1)];
}
