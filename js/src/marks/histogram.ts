/** A feature's distribution before (grey bars) and after (a step line), their means marked. */

import { type Formatter, quantityFormat, span } from "../theme/formats";
import { sizes } from "../theme/theme";
import { type Axis, axis, axisTicks } from "./axis";
import { setAttributes, svg } from "./element";
import { hatch } from "./hatch";
import type { Tick } from "./scene";
import { textWidth } from "./text_width";

const LABEL_GAP = 4;
const ARROW = 4;
/** The picture's height over the highest bar before: fixed, so that grey stays as it is while a slider moves. */
const HEADROOM = 1.5;

/** Where the bars of a histogram stand. */
export interface Bins {
  /** Ascending. */
  readonly edges: readonly number[];
  /** Whether the first and the last bar hold all that lies beyond. */
  readonly open: readonly boolean[];
}

/** "under 18.5", "40.5 – 43.5", "76.5 and over" */
export function binWords({ edges, open }: Bins, bin: number, write: Formatter): string {
  const [from, to] = [write(edges[bin] as number), write(edges[bin + 1] as number)];
  if (bin === 0 && open[0]) return `under ${to}`;
  return bin === edges.length - 2 && open[1] ? `${from} and over` : `${from} – ${to}`;
}

/** The open bars in a sentence; "" where there are none. */
export function openWords(bins: Bins, write: Formatter): string {
  const ends = [0, bins.edges.length - 2].filter((_, side) => bins.open[side]);
  return ends.length > 0 ? ` Hatched: ${ends.map((bin) => binWords(bins, bin, write)).join(", ")}.` : "";
}

/** Share of rows per unit of width, so that bins of any width have the right area. */
function densities(shares: ArrayLike<number>, edges: readonly number[]): number[] {
  return Array.from(shares, (share, b) => share / ((edges[b + 1] as number) - (edges[b] as number)));
}

/** How a bin is drawn: where it stands, and on which side it is open. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly open: "" | "left" | "right";
}

function placesOf({ edges, open }: Bins, x: Axis): Place[] {
  const last = edges.length - 2;
  return edges.slice(0, -1).map((edge, b) => ({
    left: x.at(edge),
    right: x.at(edges[b + 1] as number),
    open: b === 0 && open[0] ? "left" : b === last && open[1] ? "right" : "",
  }));
}

const at = (...pixels: number[]) => pixels.map((pixel) => pixel.toFixed(1)).join(",");

function bar({ left, right }: Place, top: number, floor: number): string {
  const gap = right - left > 4 ? 0.5 : 0;
  return `M${at(left + gap, floor)}V${at(top)}H${at(right - gap)}V${floor}Z`;
}

/** An open bar has no side where it is open. */
function openBar({ left, right, open }: Place, top: number, floor: number): string {
  const [inner, outer] = open === "left" ? [right, left] : [left, right];
  return `M${at(inner, floor)}V${at(top)}H${at(outer)}${hatch(left, right, top, floor)}`;
}

/** The steps over neighbouring bars, from floor to floor but on an open side. */
function steps(places: readonly Place[], tops: readonly number[], floor: number): string {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return "";
  const across = places.map(({ right }, k) => `V${at(tops[k] as number)}H${at(right)}`).join("");
  const start = first.open === "left" ? (tops[0] as number) : floor;
  return `M${at(first.left, start)}${across}${last.open === "right" ? "" : `V${floor}`}`;
}

/** Points to where a bar goes on above the picture. */
function arrow(x: number, top: number): string {
  return `M${at(x - ARROW, top + ARROW)}L${at(x, top)}L${at(x + ARROW, top + ARROW)}Z`;
}

/** "<18.5" and "76.5+" under open bars. */
function openTicks({ edges }: Bins, places: readonly Place[]): Tick[] {
  const write = quantityFormat("value", span(edges)).value;
  return places.flatMap(({ left, right, open }, b) => {
    const label = open === "left" ? `<${write(edges[1] as number)}` : `${write(edges[b] as number)}+`;
    return open ? [{ at: (left + right) / 2, label }] : [];
  });
}

/** The labels that find room, the first ones first: centred under their ticks, but never beyond the picture's edge. */
function tickLabels(ticks: readonly Tick[], width: number, y: number): SVGTextElement[] {
  const taken: (readonly [number, number])[] = [];
  return ticks.flatMap(({ at: place, label }) => {
    const half = textWidth(label, sizes.text) / 2;
    const x = Math.min(width - half, Math.max(half, place));
    if (taken.some(([from, to]) => x - half < to + LABEL_GAP && x + half > from - LABEL_GAP)) return [];
    taken.push([x - half, x + half]);
    return [svg("text", { class: "ts-tick", x, y, "text-anchor": "middle" }, label)];
  });
}

export function createHistogram() {
  const { height, axis: below } = sizes.histogram;
  const top = 3;
  const bottom = height - below;
  const axes = svg("g");
  const before = svg("path", { class: "ts-before" });
  const beyond = svg("path", { class: "ts-before-open" });
  const after = svg("path", { class: "ts-after" });
  const higher = svg("path", { class: "ts-after-cut" });
  const meanBefore = svg("line", { class: "ts-guide ts-mean", y1: top, y2: bottom });
  const meanAfter = svg("line", { class: "ts-cursor", y1: top, y2: bottom });
  const element = svg("svg", { class: "ts-histogram", role: "img", height });
  element.append(before, beyond, axes, meanBefore, after, meanAfter, higher);

  let bins: Bins = { edges: [], open: [] };
  let places: Place[] = [];
  let grey: number[] = [];
  let x = axis([0, 1], [0, 1]);
  const clamp = (value: number) => {
    const [low, high] = x.domain;
    return x.at(Math.min(high, Math.max(low, value)));
  };
  /** What lies in an open bar is not to scale. */
  const isToScale = ({ at: place }: Tick) =>
    places.every(({ left, right, open }) => !open || place <= left || place >= right);

  return {
    element,
    show(width: number, nextBins: Bins, shares: ArrayLike<number>, mean: number, summary: string) {
      bins = nextBins;
      const { edges } = bins;
      grey = densities(shares, edges);
      const room = 6;
      const ends = [edges[0] as number, edges.at(-1) as number] as const;
      x = axis(ends, [room, width - room]);
      places = placesOf(bins, x);
      setAttributes(element, { width, viewBox: `0 0 ${width} ${height}`, "aria-label": summary });
      const shown = axisTicks(x, Math.max(2, Math.min(5, Math.floor(width / 55))), "value").filter(isToScale);
      axes.replaceChildren(
        svg("line", { class: "ts-rule", x1: room, x2: width - room, y1: bottom, y2: bottom }),
        ...tickLabels([...openTicks(bins, places), ...shown], width, height - 3),
      );
      setAttributes(meanBefore, { x1: clamp(mean), x2: clamp(mean) });
    },
    mark(shares: ArrayLike<number>, mean: number) {
      const blue = densities(shares, bins.edges);
      const highest = HEADROOM * Math.max(...grey) || 1;
      const y = (density: number) => bottom - Math.min(1, density / highest) * (bottom - top);
      const bars = (draw: typeof bar, open: boolean) =>
        places
          .map((place, b) => (Boolean(place.open) === open ? draw(place, y(grey[b] as number), bottom) : ""))
          .join("");
      before.setAttribute("d", bars(bar, false));
      beyond.setAttribute("d", bars(openBar, true));
      after.setAttribute("d", steps(places, blue.map(y), bottom));
      const cut = places.filter((_, b) => (blue[b] as number) > highest);
      higher.setAttribute("d", cut.map(({ left, right }) => arrow((left + right) / 2, top)).join(""));
      setAttributes(meanAfter, { x1: clamp(mean), x2: clamp(mean) });
    },
  };
}
