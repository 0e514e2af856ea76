/** The small multiples: one canvas for each metric, a cell per pixel, and a mark on the pixel that is read. */

import { leanOf } from "../../../marks/diverging";
import { html, listen } from "../../../marks/element";
import { followTheme, pageColor, type Rgb } from "../../../marks/page_colors";
import { followWidth } from "../../../marks/resize";
import type { StressImage } from "../../../wire/stress/image";
import { capitalize } from "../../shared/words";
import { changes, otherTau, pixelAt, type State, worstLevel } from "./state";

/** Points of the canvas along a cell's side, so that one in its middle can mark it. */
const FINE = 3;
const SOLID = 255;
const STILL = 90;
/** What is left of the colour of a pixel whose change cannot be read. */
const FADED = 0.45;

type Rgba = readonly [number, number, number, number];

/** Paint the cell at a place, and the point in its middle where that has a colour of its own. */
function fill({ data, width }: ImageData, cell: number, color: Rgba, middle: Rgba | null): void {
  const cells = width / FINE;
  const [row, column] = [FINE * Math.floor(cell / cells), FINE * (cell % cells)];
  for (let i = 0; i < FINE; i++) {
    for (let j = 0; j < FINE; j++) {
      const inside = middle !== null && i === 1 && j === 1;
      data.set(inside ? middle : color, 4 * ((row + i) * width + column + j));
    }
  }
}

export interface MapsEvents {
  read(at: readonly [number, number], event: Event): void;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map(
    (k) => (from[k] as number) + share * ((to[k] as number) - (from[k] as number)),
  ) as unknown as Rgb;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function createMaps(
  data: StressImage,
  largest: (state: State) => number,
  events: MapsEvents,
  host: HTMLElement,
  signal: AbortSignal,
) {
  const [height, width] = data.message.shape;
  let state: State | null = null;
  const panels = data.message.metrics.map(({ label }) => {
    const canvas = html("canvas", { width: FINE * width, height: FINE * height, "aria-hidden": "true" });
    const mark = html("i", { class: "ts-pixel-mark", "aria-hidden": "true" });
    const area = html(
      "div",
      {
        class: "ts-image",
        tabindex: 0,
        role: "application",
        "data-testid": "map",
        style: `aspect-ratio: ${width} / ${height}`,
      },
      canvas,
      mark,
    );
    const place = (event: PointerEvent): readonly [number, number] => {
      const box = area.getBoundingClientRect();
      const clamp = (share: number, n: number) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
      return [
        clamp((event.clientY - box.top) / (box.height || 1), height),
        clamp((event.clientX - box.left) / (box.width || 1), width),
      ];
    };
    listen(area, "pointermove", signal, (event) => events.read(place(event), event));
    listen(area, "pointerdown", signal, (event) => events.read(place(event), event));
    listen(area, "keydown", signal, (event) => {
      const step = STEPS[event.key];
      if (!step || !state) return;
      event.preventDefault();
      event.stopPropagation();
      const far = event.shiftKey ? 5 : 1;
      const to = (k: 0 | 1, n: number) =>
        Math.max(0, Math.min(n - 1, (state as State).at[k] + far * step[k]));
      events.read([to(0, height), to(1, width)], event);
    });
    const element = html("figure", {}, html("figcaption", {}, capitalize(label)), area);
    return { element, area, canvas, mark };
  });

  let coloured = false;
  const paint = () => {
    if (!state) return;
    const shown = state;
    coloured = host.isConnected;
    const ends = ["--ts-map-low", "--ts-map-middle", "--ts-map-high", "--ts-line", "--ts-baseline"].map(
      (name) => pageColor(host, name),
    );
    const [low, middle, high, line, point] = ends as [Rgb, Rgb, Rgb, Rgb, Rgb];
    const other = otherTau(data, shown);
    const scale = largest(shown);
    panels.forEach(({ canvas }, metric) => {
      const context = canvas.getContext?.("2d");
      if (!context) return;
      const moved = changes(data, metric, other, shown.tau);
      const picture = context.createImageData(FINE * width, FINE * height);
      for (let k = 0; k < height * width; k++) {
        const pixel = pixelAt(data, Math.floor(k / width), k % width, shown.channel);
        const change = moved[pixel] as number;
        const lean = leanOf(change, 0, scale);
        const seen = Number.isFinite(change);
        const unreliable = seen && worstLevel(data, metric, pixel, [shown.tau, other]) === 2;
        const strength = Math.abs(lean) * (unreliable ? FADED : 1);
        const color = seen ? mix(middle, lean < 0 ? low : high, strength) : line;
        fill(picture, k, [...color, seen ? SOLID : STILL], unreliable ? [...point, SOLID] : null);
      }
      context.putImageData(picture, 0, 0);
    });
  };
  followTheme(signal, paint);
  const element = html("div", { class: "ts-images" }, ...panels);
  // A host may put the view into the page after it has drawn; only there it has colours.
  followWidth(element, signal, () => {
    if (!coloured) paint();
  });

  return {
    element,
    update(next: State, before: State | null, words: (metric: number) => string) {
      state = next;
      const repaint =
        !before ||
        next.tau !== before.tau ||
        next.against !== before.against ||
        next.channel !== before.channel;
      if (repaint) paint();
      const [row, column] = next.at;
      panels.forEach(({ area, mark }, metric) => {
        mark.style.left = `${(100 * column) / width}%`;
        mark.style.top = `${(100 * row) / height}%`;
        mark.style.width = `${100 / width}%`;
        mark.style.height = `${100 / height}%`;
        area.setAttribute("aria-label", `${words(metric)} Arrow keys move to other pixels.`);
      });
    },
  };
}
