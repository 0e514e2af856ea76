/** The elements of a scene: what stands still behind, and what belongs to the chosen feature in front. */

import { sizes } from "../theme/theme";
import { label, line, tenth } from "./axis_marks";
import { setAttribute, svg } from "./element";
import type { Label, Point, Scene } from "./scene";
import { textWidth } from "./text_width";

/** Pixels between words in a line, and between a word and the cursor. */
const APART = 6;

/** A word under each tick of the x axis, and what they are; no words, no title. */
export interface Notes {
  readonly title: string;
  readonly words: readonly string[];
}

const text = (className: string, { x, y }: Point, words: string, anchor: string) =>
  label(className, x, y, words, anchor);
const segment = (className: string, from: Point, to: Point) => line(className, from.x, from.y, to.x, to.y);

function drawTitles({ frame, xTitle, yTitle, cursor }: Scene): SVGElement[] {
  const { left, right, top, bottom } = frame;
  if (cursor) return [text("ts-tick", { x: left - 23, y: bottom + 14 }, xTitle, "end")];
  return [
    text("ts-tick", { x: (left + right) / 2, y: bottom + 36 }, xTitle, "middle"),
    text("ts-tick", { x: left, y: top - 6 }, yTitle, "start"),
  ];
}

function drawAxes(scene: Scene): SVGElement[] {
  const { frame, xTicks, yTicks } = scene;
  const { left, right, bottom } = frame;
  return [
    ...yTicks.map(({ at }) => segment("ts-grid", { x: left, y: at }, { x: right, y: at })),
    ...yTicks.map(({ at, label }) => text("ts-tick", { x: left - 8, y: at }, label, "end")),
    ...xTicks.map(({ at }) => segment("ts-rule", { x: at, y: bottom }, { x: at, y: bottom + 4 })),
    ...xTicks.map(({ at, label }) => text("ts-tick", { x: at, y: bottom + 14 }, label, "middle")),
    segment("ts-rule", { x: left, y: bottom }, { x: right, y: bottom }),
    ...drawTitles(scene),
  ];
}

const LINE_WIDTH = 1.4;

export function drawBack(scene: Scene): SVGElement[] {
  const lines = scene.context.flatMap(({ faded, wide, solid }) => [
    svg("path", { class: "ts-line ts-faded", d: faded, "stroke-width": LINE_WIDTH }),
    svg("path", { class: "ts-line ts-is-wide", d: wide, "stroke-width": LINE_WIDTH }),
    svg("path", { class: "ts-line", d: solid, "stroke-width": LINE_WIDTH }),
  ]);
  const guides = scene.guides.map(({ kind, from, to }) => segment(`ts-guide ts-${kind}`, from, to));
  const others = scene.envelope === "" ? [] : [svg("path", { class: "ts-envelope", d: scene.envelope })];
  return [...drawAxes(scene), ...others, ...lines, ...guides];
}

function drawNotes({ frame, xTicks }: Scene, { title, words }: Notes): SVGElement[] {
  if (words.length === 0) return [];
  const y = frame.bottom + 30;
  const half = textWidth(words[0] ?? "", sizes.text) / 2 + APART;
  const first = xTicks[0]?.at ?? 0;
  const titled = Math.max(textWidth(title, sizes.text), Math.min(frame.left - 23, first - half));
  const under = words.map((word, k) => {
    const x = k === 0 ? Math.max(first, titled + half) : (xTicks[k]?.at ?? 0);
    return text("ts-note", { x, y }, word, "middle");
  });
  return [text("ts-note", { x: titled, y }, title, "end"), ...under];
}

function drawLabel(label: Label, fullName: string, chosen: boolean): SVGTextElement {
  const name = text(chosen ? "ts-name ts-is-chosen" : "ts-name", label, label.text, label.anchor);
  name.append(svg("title", {}, fullName));
  return name;
}

/** A remark on a stretch of the line, and half of the room that it takes. */
interface Remark {
  readonly element: SVGTextElement;
  readonly x: number;
  readonly half: number;
}

export interface FrontLayer {
  readonly remarks: readonly Remark[];
  readonly elements: readonly SVGElement[];
  /** The names at the ends of lines, by feature. */
  readonly names: ReadonlyMap<number, SVGTextElement>;
}

export function drawFront(scene: Scene, feature: number, notes: Notes): FrontLayer {
  const { band, beside, line, labels, origin, remarks } = scene.front(feature);
  const names = new Map(
    labels.map((label) => {
      const fullName = scene.names[label.feature] ?? "";
      return [label.feature, drawLabel(label, fullName, label.feature === feature)];
    }),
  );
  const shapes = [
    band && svg("path", { class: "ts-band ts-faded", d: band.faded }),
    band && svg("path", { class: "ts-band", d: band.solid }),
    beside !== undefined && svg("path", { class: "ts-other-model", d: beside }),
    svg("path", { class: "ts-chosen ts-faded", d: line.faded }),
    svg("path", { class: "ts-chosen ts-is-wide", d: line.wide }),
    svg("path", { class: "ts-chosen", d: line.solid }),
    origin && svg("circle", { class: "ts-origin", cx: tenth(origin.x), cy: tenth(origin.y), r: 4 }),
    ...labels.map(({ leader, x, y }) => leader && segment("ts-leader", leader, { x: x - 2, y })),
  ].filter((shape) => shape !== undefined && shape !== false);
  const words = remarks.map((remark) => ({
    element: text("ts-remark", remark, remark.text, remark.anchor),
    x: remark.x,
    half: textWidth(remark.text, sizes.text - 1) / 2 + APART,
  }));
  const elements = [
    ...shapes,
    ...words.map(({ element }) => element),
    ...names.values(),
    ...drawNotes(scene, notes),
  ];
  return { elements, names, remarks: words };
}

/** Move remarks aside that the cursor would cross, to where there is more of the picture. */
export function clearCursor({ frame }: Scene, remarks: readonly Remark[], cursor: number): void {
  for (const { element, x, half } of remarks) {
    const aside = 2 * cursor < frame.left + frame.right ? cursor + half : cursor - half;
    setAttribute(element, "x", String(tenth(Math.abs(cursor - x) < half ? aside : x)));
  }
}
