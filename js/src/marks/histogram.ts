/** A feature's distribution before (grey bars) and after (a step line), their means marked. */

import { sizes } from "../theme/theme";
import { type Axis, axis, axisTicks } from "./axis";
import { setAttributes, svg } from "./element";
import type { Tick } from "./scene";
import { textWidth } from "./text_width";

export interface Histogram {
  readonly element: SVGSVGElement;
  show(
    width: number,
    edges: readonly number[],
    before: ArrayLike<number>,
    mean: number,
    summary: string,
  ): void;
  mark(after: ArrayLike<number>, mean: number): void;
}

/** Share of rows per unit of width, so that bins of any width have the right area. */
function densities(shares: ArrayLike<number>, edges: readonly number[]): number[] {
  return Array.from(shares, (share, b) => share / ((edges[b + 1] as number) - (edges[b] as number)));
}

function bars(
  heights: readonly number[],
  edges: readonly number[],
  x: Axis,
  y: (d: number) => number,
): string {
  const floor = y(0);
  return heights
    .map((height, b) => {
      const left = x.at(edges[b] as number);
      const right = x.at(edges[b + 1] as number);
      const gap = right - left > 4 ? 0.5 : 0;
      return `M${(left + gap).toFixed(1)},${floor}V${y(height).toFixed(1)}H${(right - gap).toFixed(1)}V${floor}Z`;
    })
    .join("");
}

function steps(
  heights: readonly number[],
  edges: readonly number[],
  x: Axis,
  y: (d: number) => number,
): string {
  const floor = y(0);
  const across = heights.map((h, b) => `V${y(h).toFixed(1)}H${x.at(edges[b + 1] as number).toFixed(1)}`);
  return `M${x.at(edges[0] as number).toFixed(1)},${floor}${across.join("")}V${floor}`;
}

/** Centred under its tick, but never beyond the picture's edge. */
function tickLabel({ at, label }: Tick, width: number, y: number): SVGTextElement {
  const half = textWidth(label, sizes.text) / 2;
  const x = Math.min(width - half, Math.max(half, at));
  return svg("text", { class: "ts-tick", x, y, "text-anchor": "middle" }, label);
}

export function createHistogram(): Histogram {
  const { height, axis: below } = sizes.histogram;
  const top = 3;
  const bottom = height - below;
  const axes = svg("g");
  const before = svg("path", { class: "ts-before" });
  const after = svg("path", { class: "ts-after" });
  const meanBefore = svg("line", { class: "ts-guide ts-mean", y1: top, y2: bottom });
  const meanAfter = svg("line", { class: "ts-cursor", y1: top, y2: bottom });
  const element = svg("svg", { class: "ts-histogram", role: "img", height });
  element.append(before, axes, meanBefore, after, meanAfter);

  let edges: readonly number[] = [];
  let grey: number[] = [];
  let x = axis([0, 1], [0, 1]);
  const clamp = (value: number) => {
    const [low, high] = x.domain;
    return x.at(Math.min(high, Math.max(low, value)));
  };

  return {
    element,
    show(width, nextEdges, shares, mean, summary) {
      edges = nextEdges;
      grey = densities(shares, edges);
      const room = 6;
      const ends = [edges[0] as number, edges.at(-1) as number] as const;
      x = axis(ends, [room, width - room]);
      setAttributes(element, { width, viewBox: `0 0 ${width} ${height}`, "aria-label": summary });
      const shown = axisTicks(x, Math.max(2, Math.min(5, Math.floor(width / 55))), "value");
      axes.replaceChildren(
        svg("line", { class: "ts-rule", x1: room, x2: width - room, y1: bottom, y2: bottom }),
        ...shown.map((tick) => tickLabel(tick, width, height - 3)),
      );
      setAttributes(meanBefore, { x1: clamp(mean), x2: clamp(mean) });
    },
    mark(shares, mean) {
      const blue = densities(shares, edges);
      const highest = Math.max(...grey, ...blue) || 1;
      const y = (density: number) => bottom - (density / highest) * (bottom - top);
      before.setAttribute("d", bars(grey, edges, x, y));
      after.setAttribute("d", steps(blue, edges, x, y));
      setAttributes(meanAfter, { x1: clamp(mean), x2: clamp(mean) });
    },
  };
}
