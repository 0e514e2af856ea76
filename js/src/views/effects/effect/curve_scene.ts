/** An effect along numbers or dates: where everything stands, in pixels, before anything touches the page. */

import { type Axis, axis, axisTicks } from "../../../marks/axis";
import { areaPath, linePath } from "../../../marks/path";
import type { Frame, Tick } from "../../../marks/scene";
import { fitText, textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import type { EffectAxisMessage } from "../../../wire/messages";
import type { Domain } from "./scale";

const STRIP = 30;
const GAP = 5;
const BELOW = 40;
const MISSING_ROOM = 58;
/** The part of the width that names at the ends of lines may take. */
const NAMED = 0.3;

export type CurveScene = ReturnType<typeof curveScene>;

/** Round dates and numbers along the axis. */
function ticksOf(x: Axis, about: EffectAxisMessage, room: number): Tick[] {
  const count = Math.max(2, Math.min(7, Math.floor(room / 62)));
  if (about.kind !== "date") return axisTicks(x, count, "value");
  const [first, last] = x.domain;
  if (last - first > count) {
    return axisTicks(x, count, "value").map(({ at, label }) => ({ at, label: label.replaceAll(",", "") }));
  }
  const places = about.points.flatMap((point, g) => (point === null ? [] : [g]));
  const every = Math.max(1, Math.ceil(places.length / Math.max(2, Math.floor(room / 90))));
  return places
    .filter((_, k) => k % every === 0)
    .map((g) => ({ at: x.at(about.points[g] as number), label: about.labels[g] as string }));
}

function barsOf(
  x: Axis,
  { edges, shares }: EffectAxisMessage,
  [left, right]: Domain,
  top: number,
  floor: number,
): string {
  const densities = shares.map((share, b) => share / ((edges[b + 1] as number) - (edges[b] as number)));
  const highest = Math.max(...densities) || 1;
  const inside = (px: number) => Math.min(right, Math.max(left, px));
  return densities
    .map((density, b) => {
      const [from, to] = [inside(x.at(edges[b] as number)), inside(x.at(edges[b + 1] as number))];
      const gap = to - from > 4 ? 0.5 : 0;
      if (to - from < 0.1 || density === 0) return "";
      const height = floor - (density / highest) * (floor - top);
      return `M${(from + gap).toFixed(1)},${floor}V${height.toFixed(1)}H${(to - gap).toFixed(1)}V${floor}Z`;
    })
    .join("");
}

export function curveScene(
  about: EffectAxisMessage,
  domain: Domain,
  options: { readonly width: number; readonly kind: "share" | "value"; readonly names: readonly string[] },
) {
  const { width, kind } = options;
  const { chart, margin } = sizes;
  const height = Math.round(Math.min(chart.effect, Math.max(chart.lowest + 40, 0.6 * width)));
  const places = about.points
    .flatMap((point, g) => (point === null ? [] : [g]))
    .sort((a, b) => (about.points[a] as number) - (about.points[b] as number));
  const missing = about.points.indexOf(null);
  const widest = Math.max(0, ...options.names.map((name) => textWidth(name, sizes.text)));
  const nameRoom = widest && Math.min(widest + 10, NAMED * width);
  const right = width - 12 - (missing >= 0 ? MISSING_ROOM : 0) - nameRoom;
  const frame: Frame = {
    width,
    height,
    left: margin.left - 8,
    right,
    top: margin.top + 12,
    bottom: height - BELOW - STRIP - GAP,
  };
  const floor = frame.bottom + GAP + STRIP;
  const first = about.points[places[0] as number] as number;
  const last = about.points[places.at(-1) as number] as number;
  const xAxis = axis([first, last], [frame.left, frame.right]);
  const yAxis = axis(domain, [frame.bottom, frame.top]);
  const x = (g: number) =>
    about.points[g] === null ? width - 12 - MISSING_ROOM / 2 + 6 : xAxis.at(about.points[g] as number);
  const inside = (value: number) => Math.min(frame.bottom + 400, Math.max(frame.top - 400, yAxis.at(value)));
  return {
    frame,
    /** What names at the ends of lines take of the width. */
    nameRoom,
    /** Where the bars below the curve stand. */
    floor,
    xTicks: ticksOf(xAxis, about, frame.right - frame.left),
    yTicks: axisTicks(yAxis, frame.bottom - frame.top < 200 ? 4 : 5, kind),
    bars: barsOf(xAxis, about, [frame.left, frame.right], frame.bottom + GAP, floor),
    /** The points along the axis, ascending; the missing one is not among them. */
    places,
    /** The point of rows without a value; -1 for none. */
    missing,
    x,
    y: inside,
    line: (values: ArrayLike<number>) => linePath(places, x, (g) => inside(values[g] as number)),
    area: (lower: ArrayLike<number>, upper: ArrayLike<number>) =>
      areaPath(
        places,
        x,
        (g) => inside(lower[g] as number),
        (g) => inside(upper[g] as number),
      ),
    /** The point nearest to a pixel. */
    placeAt: (px: number) => {
      if (missing >= 0 && px > frame.right + MISSING_ROOM / 3) return missing;
      let best = places[0] as number;
      for (const g of places) if (Math.abs(x(g) - px) < Math.abs(x(best) - px)) best = g;
      return best;
    },
  };
}

/** A tick's label, centred under it and inside the picture. */
export function insideLabel({ at, label }: Tick, width: number): { x: number; text: string } {
  const text = fitText(label, sizes.text, width);
  const half = textWidth(text, sizes.text) / 2;
  return { x: Math.min(width - half, Math.max(half, at)), text };
}
