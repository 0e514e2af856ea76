/** Linear scales and their ticks. */

import { bisectRight } from "../solve/bisect";
import type { MetricKind } from "../theme/formats";
import { fixed } from "../theme/number_text";
import { sizes } from "../theme/theme";
import type { Tick } from "./scene";
import { textWidth } from "./text_width";
import { nice, tickStep, ticks } from "./ticks";

/** Data to pixels, and back. */
export interface Axis {
  readonly domain: readonly [number, number];
  readonly at: (value: number) => number;
  readonly value: (pixel: number) => number;
}

/** Smallest and largest finite value; [0, 1] when there is none. */
export function finiteExtent(series: Iterable<ArrayLike<number>>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of series) {
    for (let k = 0; k < values.length; k++) {
      const value = values[k] as number;
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** A round domain with some air, that keeps shares and scores within 0–1 and starts at 0 when 0 is near. */
export function niceDomain(
  [low, high]: readonly [number, number],
  kind: MetricKind,
  count: number,
): [number, number] {
  const bounded = kind !== "value";
  const flat = bounded ? 0.02 : Math.abs(high) * 0.02 || 1;
  const air = high - low < flat / 2 ? flat : (high - low) * 0.04;
  let start = low - air;
  let end = high + air;
  if (low >= 0 && low < (bounded ? 0.4 : 0.2) * high) start = 0;
  if (bounded) [start, end] = [Math.max(0, start), Math.min(1, end)];
  return nice(start, end, count);
}

export function axis([low, high]: readonly [number, number], [start, end]: readonly [number, number]): Axis {
  const perUnit = (end - start) / (high - low || 1);
  return {
    domain: [low, high],
    at: (value) => start + (value - low) * perUnit,
    value: (pixel) => low + (pixel - start) / perUnit,
  };
}

/** Round values along an axis, with labels: shares in per cent. */
export function axisTicks({ domain: [low, high], at }: Axis, count: number, kind: MetricKind): Tick[] {
  const unit = kind === "share" ? 100 : 1;
  const step = unit * tickStep(low, high, count);
  const label = fixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  const suffix = kind === "share" ? " %" : "";
  return ticks(low, high, count).map((value) => ({
    at: at(value),
    label: `${label(unit * value)}${suffix}`,
  }));
}

const LABEL_GAP = 6;

/** Ticks along a line of text, from left to right; every second, fourth, … where labels would touch. */
export function spaced(all: readonly Tick[]): readonly Tick[] {
  const half = ({ label }: Tick) => (textWidth(label, sizes.text) + LABEL_GAP) / 2;
  const touches = (one: Tick, k: number) => {
    const next = all[k + 1];
    return next !== undefined && next.at - one.at < half(one) + half(next);
  };
  return all.some(touches) ? spaced(all.filter((_, k) => k % 2 === 0)) : all;
}

/** Where a value stands among ascending ones, in steps and parts of steps; the ends for what lies beyond. */
export function placeAmong(ascending: readonly number[], value: number): number {
  const last = ascending.length - 1;
  const after = Math.min(last, Math.max(1, bisectRight(ascending, value)));
  const [low, high] = [ascending[after - 1] as number, ascending[after] as number];
  return Math.min(last, Math.max(0, after - 1 + (value - low) / (high - low || 1)));
}
