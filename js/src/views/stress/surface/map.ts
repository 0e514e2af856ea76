/** The heat map: a cell for each pair of τ, the cross at the unstressed means, the chosen cell, keys and pointer. */

import { axis, axisTicks, placeAmong } from "../../../marks/axis";
import { fittedLabel } from "../../../marks/axis_marks";
import { divergingColor, largestDistance, leanOf } from "../../../marks/diverging";
import { html, listen, setAttributes, svg } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import { textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import type { Context } from "./context";
import { betweenCells, cellAfterKey, type State } from "./state";

const LEFT = 62;
const BOTTOM = 42;
const TOP = 8;
const RIGHT = 10;
const LARGEST = 460;

export interface MapEvents {
  choose(at: readonly [number, number], event: Event): void;
  /** The pointer is on a cell, or on none. */
  point(at: readonly [number, number] | null): void;
}

function frameFor(width: number) {
  const side = Math.max(120, Math.min(LARGEST, width - LEFT - RIGHT));
  return { width: side + LEFT + RIGHT, height: side + TOP + BOTTOM, side };
}

export function createHeatMap(context: Context, events: MapEvents) {
  const { data, signal } = context;
  const { message, zero } = data;
  const n = message.taus.length;
  const hatch = svg(
    "pattern",
    {
      id: context.id("hatch"),
      width: 6,
      height: 6,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "ts-hatch" }),
  );
  const cells = svg("g", { class: "ts-cells" });
  const axes = svg("g", {});
  const cross = svg("g", { class: "ts-cross" }, svg("line"), svg("line"));
  const chosen = svg("rect", { class: "ts-chosen-cell", "data-testid": "chosen-cell" });
  const between = svg("circle", { class: "ts-between", r: 5, "data-testid": "between-cells" });
  const defs = svg("defs", {}, hatch);
  const drawing = svg("svg", { "aria-hidden": "true" }, defs, cells, axes, cross, chosen, between);
  const element = html(
    "div",
    { class: "ts-map", tabindex: 0, role: "application", "data-testid": "map" },
    drawing,
  );
  let frame = frameFor(sizes.chart.fallbackWidth);
  let state: State | null = null;

  const left = (i: number) => LEFT + (i * frame.side) / n;
  const top = (j: number) => TOP + ((n - 1 - j) * frame.side) / n;

  const paint = () => {
    if (!state) return;
    const { value } = data.metric(state.metric);
    const middle = value[zero * n + zero] as number;
    const span = largestDistance(value, middle);
    const edge = (k: number) => Math.round((k * frame.side) / n);
    const rects = Array.from({ length: n * n }, (_, place) => {
      const shown = value[place] as number;
      const i = Math.floor(place / n);
      const row = n - 1 - (place % n);
      const seen = Number.isFinite(shown);
      return svg("rect", {
        x: LEFT + edge(i),
        y: TOP + edge(row),
        width: edge(i + 1) - edge(i),
        height: edge(row + 1) - edge(row),
        class: seen ? undefined : "ts-beyond",
        style: seen ? `fill:${divergingColor(leanOf(shown, middle, span))}` : undefined,
        fill: seen ? undefined : `url(#${hatch.id})`,
      });
    });
    const radius = Math.max(1.5, frame.side / n / 6);
    const { metric } = state;
    const doubted = rects.flatMap((_, place) => {
      if (!Number.isFinite(value[place]) || context.level(metric, place) < 2) return [];
      const [i, j] = [Math.floor(place / n), place % n];
      return [svg("circle", { class: "ts-doubt", cx: left(i + 0.5), cy: top(j - 0.5), r: radius })];
    });
    cells.replaceChildren(...rects, ...doubted);
  };

  const frameAxes = () => {
    setAttributes(drawing, {
      width: frame.width,
      height: frame.height,
      viewBox: `0 0 ${frame.width} ${frame.height}`,
    });
    const marks: SVGElement[] = [];
    message.sides.forEach(({ name, kind, targets }, side) => {
      const round = axis([targets[0] as number, targets.at(-1) as number], [0, 1]);
      let free = -Infinity;
      for (const { at: share, label } of axisTicks(round, 5, kind === "share" ? "share" : "value")) {
        // the means of the cells are not evenly spaced: a step of τ is longer on one side of the mean
        const cell = placeAmong(targets, round.value(share));
        const at = side === 0 ? left(cell + 0.5) : top(cell - 0.5);
        const half = (side === 0 ? textWidth(label, sizes.text) : sizes.text) / 2 + 4;
        const along = side === 0 ? at : -at;
        if (along - half < free) continue;
        free = along + half;
        const place =
          side === 0
            ? { x: at, y: TOP + frame.side + 16, "text-anchor": "middle" }
            : { x: LEFT - 7, y: at, dy: "0.32em", "text-anchor": "end" };
        const stroke =
          side === 0
            ? { x1: at, x2: at, y1: TOP + frame.side, y2: TOP + frame.side + 4 }
            : { x1: LEFT - 4, x2: LEFT, y1: at, y2: at };
        marks.push(svg("line", { class: "ts-rule", ...stroke }));
        marks.push(svg("text", { class: "ts-tick", ...place }, label));
      }
      const what = kind === "share" ? `share of ${name}` : `mean of ${name}`;
      const middle = side === 0 ? LEFT + frame.side / 2 : TOP + frame.side / 2;
      const [x, y] = side === 0 ? [middle, frame.height - 10] : [8, middle];
      const title = fittedLabel("ts-side", x, y, what, "middle", frame.side);
      if (side === 1) title.setAttribute("transform", `rotate(-90 ${x} ${y})`);
      marks.push(title);
    });
    axes.replaceChildren(...marks);
    const [x, y] = [left(zero + 0.5), top(zero - 0.5)];
    setAttributes(cross.children[0] as Element, { x1: x, x2: x, y1: TOP, y2: TOP + frame.side });
    setAttributes(cross.children[1] as Element, { x1: LEFT, x2: LEFT + frame.side, y1: y, y2: y });
    setAttributes(chosen, { width: frame.side / n, height: frame.side / n });
  };

  const choose = () => {
    if (!state) return;
    setAttributes(chosen, { x: left(state.at[0]), y: top(state.at[1]) });
    const point = betweenCells(message, state);
    between.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) setAttributes(between, { cx: left(point[0] + 0.5), cy: top(point[1] - 0.5) });
  };

  const cellAt = (event: PointerEvent): [number, number] | null => {
    const box = drawing.getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left - LEFT) / frame.side) * n);
    const j = n - 1 - Math.floor(((event.clientY - box.top - TOP) / frame.side) * n);
    return i >= 0 && i < n && j >= 0 && j < n ? [i, j] : null;
  };
  let dragging = false;
  listen(drawing, "pointerdown", signal, (event) => {
    const at = cellAt(event);
    if (!at || event.button !== 0) return;
    dragging = true;
    if (event.pointerId !== undefined) drawing.setPointerCapture?.(event.pointerId);
    events.choose(at, event);
  });
  listen(drawing, "pointermove", signal, (event) => {
    const at = cellAt(event);
    if (dragging && at) events.choose(at, event);
    events.point(at);
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    listen(drawing, end, signal, () => {
      dragging = false;
    });
  }
  listen(drawing, "pointerleave", signal, () => events.point(null));
  listen(element, "keydown", signal, (event) => {
    const at = state && cellAfterKey(state.at, event.key, event.shiftKey, zero, n);
    if (!at) return;
    event.preventDefault();
    event.stopPropagation();
    events.choose(at, event);
  });
  const resize = (width: number) => {
    const next = frameFor(width);
    if (next.side === frame.side) return;
    frame = next;
    frameAxes();
    paint();
    choose();
  };
  followWidth(element, signal, resize);
  frameAxes();

  return {
    element,
    update(next: State, before: State | null) {
      state = next;
      if (next.metric !== before?.metric) paint();
      choose();
    },
  };
}
