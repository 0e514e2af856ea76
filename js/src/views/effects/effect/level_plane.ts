/** Draws an effect of levels: a line for each, its effect with what surrounds it, and the share of rows that have it. */

import { axis, axisTicks } from "../../../marks/axis";
import { fittedLabel, label, line, tenth } from "../../../marks/axis_marks";
import { setAttributes, svg } from "../../../marks/element";
import { textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import type { GroupCurve } from "../../../wire/effects/effect";
import { isAccumulated } from "../../../wire/effects/effect";
import { insideLabel } from "./curve_scene";
import type { DerivedView } from "./derive_view";
import { linesOver } from "./overlay";
import type { Drawing, Plane } from "./plane";
import { type Domain, effectDomain } from "./scale";

const ROW = 30;
/** Of a group, below its level; of more groups than four less. */
const GROUP = 11;
const OF_MANY = 8;
const TOP = 26;
const BELOW = 24;
const BARS = 56;

interface Layout {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  /** Of a level, with its groups. */
  readonly row: number;
  readonly group: number;
  readonly y: (place: number) => number;
  readonly x: (value: number) => number;
}

export function createLevelPlane(): Plane {
  const back = svg("g");
  const front = svg("g");
  const cursor = svg("rect", { class: "ts-row-mark", visibility: "hidden" });
  const element = svg("g");
  element.append(cursor, back, front);
  let layout: Layout | null = null;
  let rows = 0;
  /** The levels from the largest effect down, as they were before any stress. */
  let order: readonly number[] = [];
  let kept: { part: unknown; output: number; domain: Domain } | null = null;

  const arrange = ({ shown, width, kind, response }: Drawing): Layout => {
    const { part, output } = shown;
    const about = part.axes[0] as DerivedView["part"]["axes"][number];
    const same = kept?.part === part && kept.output === output;
    const domain = effectDomain(shown, kind, 4, same ? (kept?.domain ?? null) : null);
    kept = { part, output, domain };
    rows = about.labels.length;
    const nGroups = shown.groups?.groups.length ?? 0;
    const group = nGroups > 4 ? OF_MANY : GROUP;
    const row = ROW + nGroups * group;
    const widest = Math.max(...about.labels.map((word) => textWidth(word, sizes.text)));
    const left = Math.min(widest + 10, 0.34 * width);
    const bars = width > 420 ? BARS : 0;
    const right = width - bars - 12;
    const x = axis(domain, [left, right]);
    const height = TOP + rows * row + BELOW;
    order = Array.from({ length: rows }, (_, g) => g).sort(
      (a, b) => (shown.known.value[b] as number) - (shown.known.value[a] as number) || a - b,
    );
    const rank = new Map(order.map((g, k) => [g, k]));
    const y = (g: number) => TOP + (rank.get(g) ?? 0) * row + ROW / 2;
    const most = Math.max(...about.shares) || 1;
    const floor = TOP + rows * row;
    back.replaceChildren(
      ...axisTicks(x, width < 420 ? 3 : 5, kind).flatMap((tick) => {
        const { x: at, text: words } = insideLabel(tick, width);
        return [
          line("ts-grid", tick.at, TOP, tick.at, floor),
          label("ts-tick", at, floor + 13, words, "middle"),
        ];
      }),
      fittedLabel(
        "ts-tick",
        left,
        10,
        isAccumulated(part.kind) ? `${response}, centred` : response,
        "start",
        right - left,
      ),
      ...(bars ? [label("ts-tick", width, 10, "rows", "end")] : []),
      ...about.labels.map((word, g) => fittedLabel("ts-tick", left - 8, y(g), word, "end", left - 10)),
      ...(bars
        ? about.shares.map((share, g) =>
            svg("rect", {
              class: "ts-before",
              x: tenth(width - bars + 8),
              y: y(g) - 6,
              height: 12,
              width: tenth(Math.max(0.5, ((bars - 8) * share) / most)),
            }),
          )
        : []),
    );
    layout = {
      width,
      left,
      right,
      height,
      row,
      group,
      y,
      x: (value) => Math.min(right + 4, Math.max(left - 4, x.at(value))),
    };
    return layout;
  };

  const span = (
    className: string,
    { x, y }: Layout,
    g: number,
    lower: number,
    upper: number,
    half: number,
    down = 0,
  ) => {
    if (!Number.isFinite(lower) || !Number.isFinite(upper)) return [];
    const [from, to] = [x(lower), x(upper)];
    return [
      svg("rect", {
        class: className,
        x: tenth(from),
        width: tenth(to - from),
        y: y(g) + down - half,
        height: 2 * half,
      }),
    ];
  };
  const dot = (className: string, { x, y }: Layout, g: number, value: number, down = 0, r = 4.5) =>
    Number.isFinite(value)
      ? [svg("circle", { class: className, cx: tenth(x(value)), cy: y(g) + down, r })]
      : [];
  /** A group's value and interval below its level, with its number. */
  const group = ({ value, lower, upper }: GroupCurve, now: Layout, g: number, k: number) => {
    const down = ROW / 2 - 1 + k * now.group;
    const [at, low, high] = [value[g], lower[g], upper[g]] as [number, number, number];
    return [
      ...span("ts-group-interval", now, g, low, high, 1.5, down),
      ...dot("ts-group-dot", now, g, at, down, 2.5),
      ...(Number.isFinite(at)
        ? [
            label(
              "ts-name ts-group-number",
              now.x(Math.max(at, high || at)) + 5,
              now.y(g) + down,
              String(k + 1),
              "start",
            ),
          ]
        : []),
    ];
  };

  return {
    element,
    height: () => layout?.height ?? 0,
    draw(drawing) {
      const { shown } = drawing;
      const now = arrange(drawing);
      const { bounds, known, moved } = shown;
      const lines = linesOver(shown);
      const groups = lines.flatMap(({ interval }) => interval ?? []);
      const marks = Array.from({ length: rows }, (_, g): SVGElement[] => [
        ...(bounds
          ? span(
              "ts-band",
              now,
              g,
              bounds.certified.lower[g] as number,
              bounds.certified.upper[g] as number,
              8,
            )
          : []),
        ...(drawing.paper && bounds?.paper
          ? span("ts-paper", now, g, bounds.paper.lower[g] as number, bounds.paper.upper[g] as number, 8)
          : []),
        ...span("ts-interval", now, g, known.lower[g] as number, known.upper[g] as number, 2.5),
        ...(moved
          ? span(
              "ts-moved-interval",
              now,
              g,
              moved.curve.lower[g] as number,
              moved.curve.upper[g] as number,
              2.5,
            )
          : []),
        ...lines.flatMap(({ className, value, interval }) =>
          interval
            ? []
            : dot(
                `ts-overlay-dot ${className}`,
                now,
                g,
                value[g] as number,
                className === "ts-of-ale" ? 7 : -7,
              ),
        ),
        ...groups.flatMap((curve, k) => group(curve, now, g, k)),
        ...dot(moved ? "ts-known-dot" : "ts-dot", now, g, known.value[g] as number),
        ...(moved ? dot("ts-dot", now, g, moved.curve.value[g] as number) : []),
      ]);
      front.replaceChildren(...marks.flat());
    },
    mark(_, point) {
      cursor.setAttribute("visibility", point === null || !layout ? "hidden" : "visible");
      if (point === null || !layout) return;
      const { width, row, y } = layout;
      setAttributes(cursor, { x: 0, width, y: y(point) - ROW / 2, height: row });
    },
    placeAt: (_, py) =>
      order[Math.min(rows - 1, Math.max(0, Math.floor((py - TOP) / (layout?.row ?? ROW))))] ?? 0,
    order: () => order,
  };
}
