/** A dot with its interval on a scale, one line high. */

import type { Interval } from "../wire/buffers";
import { html } from "./element";

/** Of the line that a track is. */
const ROOM = 0.08;

/** Where values stand between the ends of a scale, in per cent, with some room at both. */
export function trackScale([low, high]: readonly [number, number]): (value: number) => number {
  const room = ROOM * (high - low || 1);
  return (value) => (100 * (value - low + room)) / (high - low + 2 * room || 1);
}

/** @param side "first" is drawn full and in the accent, "second" hollow and dark */
export function createIntervalTrack(side: "first" | "second", ...behind: HTMLElement[]) {
  const bar = html("span", { class: "ts-pair-bar" });
  const dot = html("span", { class: "ts-pair-dot" });
  return {
    element: html("span", { class: `ts-pair-track ts-is-${side}` }, ...behind, bar, dot),
    update({ value, lower, upper }: Interval, at: (value: number) => number) {
      dot.hidden = !Number.isFinite(value);
      bar.hidden = !Number.isFinite(lower) || !Number.isFinite(upper);
      dot.style.left = `${at(value).toFixed(2)}%`;
      bar.style.left = `${at(lower).toFixed(2)}%`;
      bar.style.width = `${(at(upper) - at(lower)).toFixed(2)}%`;
    },
  };
}
