/** The plotting area of a chart. */

import { sizes } from "../theme/theme";
import type { Frame, Placed, Point } from "./scene";
import { BOLD, textWidth } from "./text_width";

/**
 * The plotting area for a chart of this width, with room at its right for the longest name it can afford.
 *
 * @param fixed its height; by default after its width
 */
export function frameFor(width: number, names: readonly string[], fixed?: number): Frame {
  const { chart, margin, text } = sizes;
  const narrow = width < chart.narrow;
  const height = fixed ?? Math.round(Math.min(chart.tallest, Math.max(chart.lowest, chart.perWidth * width)));
  const longest = names.reduce((room, name) => Math.max(room, textWidth(name, text)), 0);
  const label = Math.min(BOLD * longest + 4, margin.longestLabel, (narrow ? 0.26 : 0.22) * width);
  return {
    width,
    height,
    left: margin.left,
    right: width - margin.label - label - 2,
    top: margin.top,
    bottom: height - margin.bottom,
  };
}

/** Pixels that rounding may leave a point outside. */
const HAIR = 0.5;

/** A point at the edge of a frame where it lies beyond. */
export function placeIn({ left, right, top, bottom }: Frame, at: Point): Placed {
  const side = (value: number, low: number, high: number) =>
    value < low - HAIR ? -1 : value > high + HAIR ? 1 : 0;
  return {
    x: Math.min(right, Math.max(left, at.x)),
    y: Math.min(bottom, Math.max(top, at.y)),
    beyond: { x: side(at.x, left, right), y: side(at.y, top, bottom) },
  };
}
