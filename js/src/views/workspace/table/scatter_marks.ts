/** How the rows of a scatter look: right or wrong, or how far off, told by colour and by shape; larger where heavier. */

import { pageColor, type Rgb } from "../../../marks/page_colors";
import type { TableData } from "../../../wire/workspace/table";
import { columnOf, errorsOf } from "./find";

/** Steps of a residual, from its quartiles. */
const STEPS = 4;

export interface Look {
  readonly words: string;
  readonly shape: "circle" | "ring" | "cross" | "triangle";
  /** Part of the way from the quiet colour to the loud one. */
  readonly tone: number;
}

export interface Looks {
  readonly looks: readonly Look[];
  /** Look of each row. */
  readonly of: Uint8Array;
}

/** Looks of all rows: wrong or right, quarters of the absolute residual, or one for all. */
export function looksOf(data: TableData): Looks {
  const errors = errorsOf(data);
  if (errors) {
    return {
      looks: [
        { words: "right", shape: "circle", tone: 0 },
        { words: "wrong", shape: "cross", tone: 1 },
      ],
      of: errors,
    };
  }
  const residual = columnOf(data, "error");
  if (residual) {
    const sizes = Float64Array.from(residual.values, Math.abs);
    const ascending = sizes.filter(Number.isFinite).sort();
    const cut = (k: number) => ascending[Math.floor((ascending.length * k) / STEPS)] ?? 0;
    const cuts = [1, 2, 3].map(cut);
    const shown = (value: number) => String(Number(value.toPrecision(3)));
    const words = [
      `off by less than ${shown(cuts[0] as number)}`,
      `less than ${shown(cuts[1] as number)}`,
      `less than ${shown(cuts[2] as number)}`,
      "more",
    ];
    const shapes = ["ring", "circle", "triangle", "cross"] as const;
    return {
      looks: shapes.map((shape, k) => ({ words: words[k] as string, shape, tone: k / (STEPS - 1) })),
      of: Uint8Array.from(sizes, (size) => cuts.filter((end) => size >= end).length),
    };
  }
  return {
    looks: [{ words: "a row", shape: "circle", tone: 0 }],
    of: new Uint8Array(data.message.n_rows),
  };
}

export type Colors = ReturnType<typeof readColors>;

export function readColors(host: Element) {
  const names = ["surface", "text", "baseline", "grid", "accent", "map-low", "map-high"];
  const found = names.map((name) => pageColor(host, `--ts-${name}`));
  const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;
  const [surface, text, quiet, grid, accent] = found.map(css) as [string, string, string, string, string];
  const [low, high] = [found[5] as Rgb, found[6] as Rgb];
  const mix = (share: number) =>
    low.map((from, k) => Math.round(from + share * ((high[k] as number) - from)));
  return { surface, text, quiet, grid, accent, tone: (share: number) => css(mix(share) as unknown as Rgb) };
}

/** Draw a shape around a point. */
export function drawShape(
  pen: CanvasRenderingContext2D,
  shape: Look["shape"],
  x: number,
  y: number,
  r: number,
): void {
  pen.beginPath();
  if (shape === "cross") {
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.stroke();
  } else if (shape === "triangle") {
    pen.moveTo(x, y - 1.2 * r);
    pen.lineTo(x + 1.1 * r, y + 0.8 * r);
    pen.lineTo(x - 1.1 * r, y + 0.8 * r);
    pen.closePath();
    pen.fill();
  } else {
    pen.arc(x, y, r, 0, 2 * Math.PI);
    if (shape === "ring") pen.stroke();
    else pen.fill();
  }
}

const SMALLEST = 1;
const LARGEST = 8;
const USUAL = 2.4;
/** Radii are drawn in steps of so many pixels, so that few pictures serve all points. */
const STEP = 0.4;

/** Radius of a row by its weight: the area goes with it; 0 for a row without any. */
export function radiusOf(weight: number): number {
  if (!(weight > 1e-9)) return 0;
  return Math.min(LARGEST, Math.max(SMALLEST, USUAL * Math.sqrt(weight)));
}

/** Pictures of the points, one for each look and step of the radius. */
export function createStamps(looks: readonly Look[], colors: Colors, density: number, alpha: number) {
  const made = new Map<number, ImageData | null>();
  return (look: number, radius: number): ImageData | null => {
    const step = Math.round(radius / STEP);
    const key = 100 * look + step;
    const known = made.get(key);
    if (known !== undefined) return known;
    const r = Math.max(SMALLEST, STEP * step);
    const side = Math.ceil(2 * (1.2 * r + 1) * density);
    const stamp = document.createElement("canvas");
    stamp.width = stamp.height = side;
    const pen = stamp.getContext("2d");
    const { shape, tone } = looks[look] as Look;
    if (pen) {
      pen.scale(density, density);
      pen.globalAlpha = alpha;
      pen.fillStyle = pen.strokeStyle = colors.tone(tone);
      pen.lineWidth = 1.4;
      drawShape(pen, shape, side / density / 2, side / density / 2, r);
    }
    const picture = pen?.getImageData(0, 0, side, side) ?? null;
    made.set(key, picture);
    return picture;
  };
}
