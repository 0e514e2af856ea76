/** Which thresholds are shown, of which population, and what stands at them. */

import type { Gap } from "../../../wire/reasons";
import type { Cell, Decisions } from "../../../wire/stress/thresholds";
import type { FollowedState } from "../../shared/followed";

/** What the kernel does under a stress. */
export const DOING = "counts decisions";

export interface State extends FollowedState<Decisions> {
  /** Those chosen: one for all, or one for each group. */
  readonly chosen: readonly number[];
  readonly metric: number;
  /** The group whose line is drawn in front. */
  readonly group: number;
}

export function nearest(thresholds: readonly number[], value: number): number {
  const away = (k: number) => Math.abs((thresholds[k] ?? 0) - value);
  return thresholds.reduce((best, _, k) => (away(k) < away(best) ? k : best), 0);
}

/** Place of the threshold that decides over a group. */
export function placeOf({ now, chosen }: State, group: number): number {
  return nearest(now.thresholds, chosen[group] ?? (chosen[0] as number));
}

export const isEach = ({ chosen }: State) => chosen.length > 1;

export function cellOf(state: State, group: number, metric: number): Cell {
  return state.now.cell(group, placeOf(state, group), metric);
}

/** The difference between groups; without an interval where they are decided at thresholds of their own. */
export function differenceOf(state: State, metric: number): Gap | null {
  const places = state.now.groups.map((_, group) => placeOf(state, group));
  if (places.every((place) => place === places[0])) return state.now.gap(places[0] as number, metric);
  const known = places
    .map((_, group) => group)
    .filter((g) => Number.isFinite(cellOf(state, g, metric).value));
  const value = (group: number) => cellOf(state, group, metric).value;
  const [first] = known;
  if (known.length < 2 || first === undefined) return null;
  const largest = known.reduce((a, b) => (value(b) > value(a) ? b : a), first);
  const smallest = known.reduce((a, b) => (value(b) < value(a) ? b : a), first);
  const none = { lower: Number.NaN, upper: Number.NaN };
  return { largest, smallest, value: value(largest) - value(smallest), ...none };
}

/** Place of the threshold at which all groups together cost least. */
export function bestTogether({ now }: State, cost: number): number {
  const together = now.thresholds.map((_, t) =>
    now.groups.reduce((sum, { share }, g) => sum + (share > 0 ? share * now.cell(g, t, cost).value : 0), 0),
  );
  return together.reduce((best, value, t) => (value < (together[best] as number) ? t : best), 0);
}

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?(%?)$/i;

export type Typed = { readonly at: number; readonly off: boolean } | { readonly problem: string };

/** Read "0.35" or "35 %" as the nearest threshold that was compared. */
export function readThreshold(typed: string, thresholds: readonly number[]): Typed {
  const plain = typed.replace(/\s/g, "").replace(",", ".").replace("−", "-");
  const found = NUMBER.exec(plain);
  if (!found) return { problem: "Write a threshold of the score, such as 0.35." };
  const value = Number.parseFloat(plain) / (found[3] ? 100 : 1);
  const at = nearest(thresholds, value);
  return { at, off: Math.abs((thresholds[at] as number) - value) > 1e-9 };
}
