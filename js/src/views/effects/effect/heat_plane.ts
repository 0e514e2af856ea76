/** Draws an effect of two features as a heat map: strength of one colour, or of two around 0. */

import { finiteExtent } from "../../../marks/axis";
import { fittedLabel, label, tenth } from "../../../marks/axis_marks";
import { setAttributes, svg } from "../../../marks/element";
import { hatch } from "../../../marks/hatch";
import { fitText, textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import { isAccumulated } from "../../../wire/effects/effect";
import type { EffectAxisMessage } from "../../../wire/messages";
import type { DerivedView } from "./derive_view";
import type { Plane } from "./plane";

const TOP = 38;
const BELOW = 40;

/** Where the cells of an axis begin and end, as shares of its length; points on an even footing where levels. */
function cells({ points, kind }: EffectAxisMessage): number[] {
  const n = points.length;
  const numbers = points.filter((point): point is number => point !== null);
  if (kind === "levels" || numbers.length < 2) return Array.from({ length: n + 1 }, (_, k) => k / n);
  const [low, high] = [numbers[0] as number, numbers.at(-1) as number];
  const missingRoom = n > numbers.length ? 1 / n : 0;
  const between = numbers.slice(1).map((point, k) => (point + (numbers[k] as number)) / 2);
  const edges = [low, ...between, high].map((edge) => ((edge - low) / (high - low)) * (1 - missingRoom));
  return missingRoom ? [...edges, 1] : edges;
}

/** Around 0 the colours of every map of changes; else one. */
function cellClass(centred: boolean, value: number): string {
  return centred ? `ts-cell ${value < 0 ? "ts-below" : "ts-above"}` : "ts-cell";
}

/** As many labels as fit, always the first. */
function fittingLabels(
  axis: EffectAxisMessage,
  edges: readonly number[],
  length: number,
  room: (label: string) => number,
) {
  let free = -Infinity;
  return axis.labels.flatMap((label, k) => {
    const at = (((edges[k] as number) + (edges[k + 1] as number)) / 2) * length;
    const half = room(label) / 2;
    if (at - half < free) return [];
    free = at + half + 6;
    return [{ at, label }];
  });
}

export function createHeatPlane(): Plane {
  const map = svg("g");
  const unseen = svg("path", { class: "ts-no-rows" });
  const axes = svg("g");
  const cursor = svg("rect", { class: "ts-cell-mark", visibility: "hidden" });
  const element = svg("g");
  element.append(map, unseen, axes, cursor);
  let place: (px: number, py: number) => number = () => 0;
  let box: (g: number) => { x: number; y: number; width: number; height: number } = () => ({
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  });
  let size = { height: 0, n: 0 };

  const text = (x: number, y: number, words: string, anchor: string) => label("ts-tick", x, y, words, anchor);

  return {
    element,
    height: () => size.height,
    draw({ shown, width, response, format }) {
      const [down, across] = shown.part.axes as [EffectAxisMessage, EffectAxisMessage];
      const widest = Math.max(...down.labels.map((label) => textWidth(label, sizes.text)));
      const left = Math.min(widest + 12, 0.3 * width);
      const right = width - 8;
      const tall = Math.round(Math.min(360, Math.max(180, 0.55 * width)));
      const [xs, ys] = [cells(across), cells(down)];
      const columns = across.points.length;
      const xOf = (share: number) => left + share * (right - left);
      const yOf = (share: number) => TOP + tall * (1 - share);
      box = (g) => {
        const [row, column] = [Math.floor(g / columns), g % columns];
        const [x, y] = [xOf(xs[column] as number), yOf(ys[row + 1] as number)];
        return { x, y, width: xOf(xs[column + 1] as number) - x, height: yOf(ys[row] as number) - y };
      };
      const values = shown.moved?.curve.value ?? shown.known.value;
      const [low, high] = finiteExtent([shown.known.value]);
      const centred = isAccumulated(shown.part.kind);
      const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
      const strength = (value: number) =>
        centred
          ? Math.min(1, Math.abs(value) / most)
          : Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
      map.replaceChildren(
        ...Array.from(values, (value, g) => {
          const { x, y, width: w, height: h } = box(g);
          const drawn = Number.isFinite(value);
          return svg("rect", {
            class: drawn ? cellClass(centred, value) : "ts-cell-empty",
            x: tenth(x),
            y: tenth(y),
            width: Math.max(0, tenth(w) - 0.5),
            height: Math.max(0, tenth(h) - 0.5),
            "fill-opacity": drawn ? (0.06 + 0.9 * strength(value)).toFixed(3) : undefined,
          });
        }),
      );
      const lines = shown.part.empty.map((g) => {
        const { x, y, width: w, height: h } = box(g);
        return hatch(x, x + w, y, y + h);
      });
      unseen.setAttribute("d", lines.join(""));
      const floor = TOP + tall;
      const key = Array.from({ length: 12 }, (_, k) => {
        const value = centred ? -most + (2 * most * k) / 11 : low + ((high - low) * k) / 11;
        return svg("rect", {
          class: cellClass(centred, value),
          x: tenth(width - 178 + 9 * k),
          y: 14,
          width: 9,
          height: 10,
          "fill-opacity": (0.06 + 0.9 * strength(value)).toFixed(3),
        });
      });
      const [from, to] = centred ? [-most, most] : [low, high];
      axes.replaceChildren(
        fittedLabel(
          "ts-tick",
          3,
          6,
          `${response}${centred ? ", interaction alone" : ""}`,
          "start",
          width - 20,
        ),
        ...key,
        text(width - 182, 19, format.value(from), "end"),
        text(width - 66, 19, format.value(to), "start"),
        text(
          3,
          24,
          down.name === "" ? "" : `↑ ${fitText(down.name, sizes.text, Math.max(60, width - 300))}`,
          "start",
        ),
        ...fittingLabels(across, xs, right - left, (label) => textWidth(label, sizes.text)).map(
          ({ at, label }) => {
            const half = textWidth(label, sizes.text) / 2;
            return text(
              Math.min(width - half, left + at),
              floor + 13,
              fitText(label, sizes.text, 120),
              "middle",
            );
          },
        ),
        ...fittingLabels(down, ys, tall, () => 13).map(({ at, label }) =>
          fittedLabel("ts-tick", left - 6, floor - at, label, "end", left - 8),
        ),
        fittedLabel("ts-tick", (left + right) / 2, floor + 30, across.name, "middle", right - left),
      );
      size = { height: floor + BELOW, n: values.length };
      place = (px, py) => {
        const column = xs.findIndex((edge, k) => k > 0 && px <= xOf(edge)) - 1;
        const row = ys.findIndex((edge, k) => k > 0 && py >= yOf(edge)) - 1;
        const [c, r] = [column < 0 ? columns - 1 : column, row < 0 ? down.points.length - 1 : row];
        return r * columns + c;
      };
    },
    mark(_: DerivedView, point) {
      cursor.setAttribute("visibility", point === null || point >= size.n ? "hidden" : "visible");
      if (point === null || point >= size.n) return;
      setAttributes(cursor, { ...box(point) });
    },
    placeAt: (px, py) => place(px, py),
    order: () => Array.from({ length: size.n }, (_, g) => g),
  };
}
