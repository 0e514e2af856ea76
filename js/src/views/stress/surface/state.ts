/** What the surface shows, as positions into its message; and the way there from the traits. */

import { placeAmong } from "../../../marks/axis";
import { bisectCenter } from "../../../solve/bisect";
import type { StressSurfaceMessage } from "../../../wire/messages";
import { type Stress, tauOf, withTau } from "../../../wire/shared_stress";
import type { StressSurface } from "../../../wire/stress/surface";
import { movedWords, tauWords } from "../../shared/words";

/** Closer than this two τ are one. */
const SAME = 1e-6;

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
  const others = Object.entries(stress.taus).filter(([name]) => !names.includes(name));
  const held = stress.hold === "none" ? "" : "holds the other means";
  const also = movedWords(others);
  const words = [also && `also moves ${also}`, held].filter(Boolean).join(" and ");
  return words
    ? `The stress set elsewhere ${words}, and is not what is shown: this map moves its own two features alone.`
    : "";
}

/** Where the shared stress lies along each feature, in cells and parts of cells; null on a cell. */
export function betweenCells(
  { taus, sides }: StressSurfaceMessage,
  { at, stress }: Pick<State, "at" | "stress">,
): readonly [number, number] | null {
  const asked = sides.map(({ name }) => tauOf(stress, name));
  if (asked.every((tau, side) => Math.abs(tau - (taus[at[side] as number] as number)) < SAME)) return null;
  return asked.map((tau) => placeAmong(taus, tau)) as unknown as [number, number];
}

/** That the numbers are of the nearest cell; "" where the shared stress is one. */
export function betweenWords(message: StressSurfaceMessage, state: Pick<State, "at" | "stress">): string {
  if (!betweenCells(message, state)) return "";
  const tau = message.sides.map(({ name }) => `${name} ${tauWords(tauOf(state.stress, name))}`);
  const near = state.at.map((t) => tauWords(message.taus[t] as number));
  return `The stress set elsewhere (${tau.join(", ")}) lies between cells, at the ring: shown is the nearest, τ ${near.join(" and ")}.`;
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
