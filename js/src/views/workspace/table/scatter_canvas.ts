/** The scatter's picture: axes, bands of levels, points, the row looked at, the rectangle. */

import { type Colors, createStamps, type Look, radiusOf } from "./scatter_marks";
import type { Rectangle, Side } from "./scatter_points";

const SOLID = 255;

/**
 * Thousands of points blended by hand into one picture: where canvases are drawn without a graphics card, a call for
 * each point costs more than a frame.
 */
function createLayer() {
  const canvas = document.createElement("canvas");
  let pen: CanvasRenderingContext2D | null = null;
  let image: ImageData | null = null;
  return {
    clear(width: number, height: number) {
      if (image?.width === width && image.height === height) image.data.fill(0);
      else {
        pen ??= canvas.getContext("2d");
        Object.assign(canvas, { width, height });
        image = pen?.createImageData(width, height) ?? null;
      }
    },
    /** Blend a picture around a pixel. */
    stamp(picture: ImageData | null, x: number, y: number) {
      if (image && picture) blend(image, picture, x - (picture.width >> 1), y - (picture.height >> 1));
    },
    show(onto: CanvasRenderingContext2D) {
      if (!image) return;
      pen?.putImageData(image, 0, 0);
      onto.drawImage(canvas, 0, 0);
    },
  };
}

/** Blend one picture over another, both with their colours not yet multiplied by their opacity. */
export function blend(onto: ImageData, picture: ImageData, left: number, top: number): void {
  const [to, from] = [onto.data, picture.data];
  const [first, last] = [Math.max(0, -left), Math.min(picture.width, onto.width - left)];
  for (let j = Math.max(0, -top); j < Math.min(picture.height, onto.height - top); j++) {
    let a = 4 * (j * picture.width + first);
    let b = 4 * ((top + j) * onto.width + left + first);
    for (let i = first; i < last; i++, a += 4, b += 4) {
      const over = from[a + 3] as number;
      if (over === 0) continue;
      const under = ((to[b + 3] as number) * (SOLID - over)) / SOLID;
      const both = over + under;
      for (let k = 0; k < 3; k++)
        to[b + k] = ((from[a + k] as number) * over + (to[b + k] as number) * under) / both;
      to[b + 3] = both;
    }
  }
}

/** The plot within the canvas, pixels. */
export type Frame = ReturnType<typeof frameOf>;

export interface Picture {
  readonly sides: readonly [Side, Side];
  readonly drawn: Uint32Array;
  readonly looks: readonly Look[];
  readonly lookOf: Uint8Array;
  readonly chosen: ReadonlySet<number>;
  readonly row: number;
  /** Weight of a row in the population shown, mean 1. */
  weight(row: number): number;
  readonly rectangle: Rectangle | null;
}

const [TOP, RIGHT, BOTTOM, LEFT] = [26, 14, 40, 52];
/** Part of the canvas that names of levels may take. */
const MOST_LABELS = 0.28;
const FONT = 11;
const LEAST_BAND = 44;
const AROUND = 8;

/** @returns the text, or as much of it as fits */
function cut(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length - 1;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function leftOf(pen: CanvasRenderingContext2D | null, up: Side, width: number): number {
  if (!pen) return LEFT;
  const widest = Math.max(0, ...up.ticks.map(({ label }) => pen.measureText(label).width));
  return Math.max(28, Math.min(MOST_LABELS * width, widest + 14));
}

/** The plot within the canvas, pixels. */
export function frameOf(
  pen: CanvasRenderingContext2D | null,
  [, up]: readonly [Side, Side],
  width: number,
  height: number,
) {
  const left = leftOf(pen, up, width);
  return { left, top: TOP, width: Math.max(20, width - left - RIGHT), height: height - TOP - BOTTOM };
}

export function setFont(pen: CanvasRenderingContext2D, host: Element): void {
  pen.font = `${FONT}px ${getComputedStyle(host).fontFamily || "sans-serif"}`;
}

function drawAxes(
  pen: CanvasRenderingContext2D,
  { sides, ...picture }: Picture,
  frame: Frame,
  colors: Colors,
) {
  const { left, top, width, height } = frame;
  const [across, up] = sides;
  pen.strokeStyle = colors.grid;
  pen.fillStyle = colors.quiet;
  pen.lineWidth = 1;
  const line = (x0: number, y0: number, x1: number, y1: number) => {
    pen.beginPath();
    pen.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
    pen.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    pen.stroke();
  };
  const bands = ({ levels }: Side) => levels.map((_, k) => k / levels.length).slice(1);
  const across_ = across.levels.length > 0 ? bands(across) : across.ticks.map(({ at }) => at);
  const up_ = up.levels.length > 0 ? bands(up) : up.ticks.map(({ at }) => at);
  for (const at of across_) line(left + at * width, top, left + at * width, top + height);
  for (const at of up_) line(left, top + (1 - at) * height, left + width, top + (1 - at) * height);
  pen.strokeStyle = colors.quiet;
  line(left, top + height, left + width, top + height);
  line(left, top, left, top + height);

  pen.textBaseline = "top";
  pen.textAlign = "center";
  const room = width / Math.max(1, across.ticks.length);
  const every = Math.max(1, Math.ceil(LEAST_BAND / room));
  across.ticks.forEach(({ at, label }, k) => {
    if (k % every > 0) return;
    const words = cut(pen, label, Math.max(LEAST_BAND, room * every) - 6);
    const most = left + width + RIGHT - pen.measureText(words).width / 2;
    pen.fillText(words, Math.min(most, left + at * width), top + height + 5);
  });
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const rows = Math.max(1, Math.ceil((FONT + 3) / (height / Math.max(1, up.ticks.length))));
  up.ticks.forEach(({ at, label }, k) => {
    if (k % rows === 0) pen.fillText(cut(pen, label, left - 10), left - 6, top + (1 - at) * height);
  });
  pen.fillStyle = colors.text;
  pen.textBaseline = "alphabetic";
  pen.fillText(cut(pen, across.label, width), left + width, top + height + BOTTOM - 6);
  pen.textAlign = "left";
  pen.fillText(cut(pen, up.label, width), Math.min(left, 8), top - 12);
  return picture;
}

export function createPainter(canvas: HTMLCanvasElement) {
  const layer = createLayer();
  let stamps: { readonly key: string; readonly of: ReturnType<typeof createStamps>[] } | null = null;
  const stampsFor = (picture: Picture, colors: Colors, density: number, faded: boolean) => {
    const key = [density, colors.tone(0), colors.tone(1), picture.looks.length, faded].join();
    if (stamps?.key !== key) {
      const alphas = faded ? [0.16, 0.95] : [0.55, 0.55];
      stamps = { key, of: alphas.map((alpha) => createStamps(picture.looks, colors, density, alpha)) };
    }
    return stamps.of;
  };
  return (picture: Picture, frame: Frame, size: readonly [number, number], colors: Colors): void => {
    const pen = canvas.getContext("2d");
    if (!pen) return;
    const density = globalThis.devicePixelRatio || 1;
    const [wide, high] = size.map((length) => Math.round(length * density)) as [number, number];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.clearRect(0, 0, size[0], size[1]);
    setFont(pen, canvas);
    drawAxes(pen, picture, frame, colors);

    const { sides, drawn, looks, lookOf, chosen, row, weight, rectangle } = picture;
    const { left, top, width, height } = frame;
    const at = (one: number): readonly [number, number] => [
      left + (sides[0].at[one] as number) * width,
      top + (1 - (sides[1].at[one] as number)) * height,
    ];
    const [plain, loud] = stampsFor(picture, colors, density, chosen.size > 0) as [
      ReturnType<typeof createStamps>,
      ReturnType<typeof createStamps>,
    ];
    const pass = (wanted: boolean) => {
      for (let look = 0; look < looks.length; look++) {
        for (const one of drawn) {
          if (lookOf[one] !== look || chosen.has(one) !== wanted) continue;
          const radius = radiusOf(weight(one));
          const [x, y] = at(one);
          if (radius === 0 || Number.isNaN(x) || Number.isNaN(y)) continue;
          const stamp = (wanted ? loud : plain)(look, radius);
          layer.stamp(stamp, Math.round(x * density), Math.round(y * density));
        }
      }
    };
    layer.clear(wide, high);
    pass(false);
    if (chosen.size > 0) pass(true);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    layer.show(pen);
    pen.setTransform(density, 0, 0, density, 0, 0);
    const [x, y] = row >= 0 ? at(row) : [Number.NaN, Number.NaN];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      pen.beginPath();
      pen.arc(x, y, AROUND, 0, 2 * Math.PI);
      pen.strokeStyle = colors.surface;
      pen.lineWidth = 5;
      pen.stroke();
      pen.strokeStyle = colors.text;
      pen.lineWidth = 2;
      pen.stroke();
    }
    if (rectangle) {
      const [x0, x1] = rectangle.x.map((share) => left + share * width) as [number, number];
      const [y0, y1] = rectangle.y.map((share) => top + (1 - share) * height) as [number, number];
      pen.fillStyle = pen.strokeStyle = colors.accent;
      pen.lineWidth = 1.5;
      pen.globalAlpha = 0.1;
      pen.fillRect(x0, y1, x1 - x0, y0 - y1);
      pen.globalAlpha = 1;
      pen.strokeRect(x0, y1, x1 - x0, y0 - y1);
    }
  };
}
