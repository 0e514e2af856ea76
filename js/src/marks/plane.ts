/**
 * Draws a scene. Two layers: the many grey lines and the axes, painted once; above them what follows the
 * chosen feature and τ, so that moving τ repaints two marks and not hundreds of lines.
 */

import { tenth } from "./axis_marks";
import { html, listen, setAttribute, setAttributes, setText, svg } from "./element";
import { clearCursor, drawBack, drawFront, type FrontLayer, type Notes } from "./plane_layers";
import type { Point, Scene } from "./scene";

interface PlaneEvents {
  tau(t: number, event: Event): void;
  feature(feature: number, event: Event): void;
  point(feature: number | null): void;
}

/** Pixels a press may wander and still be a click. */
const STILL = 4;

/** Pointer on a plane: hovering names a line, clicking it chooses it, clicking beside it or dragging sets τ. */
function followPointer(
  target: SVGSVGElement,
  current: () => { scene: Scene; feature: number } | null,
  events: PlaneEvents,
  signal: AbortSignal,
): void {
  let pressed: Point | null = null;
  let dragging = false;

  const locate = (event: PointerEvent, { frame }: Scene): Point => {
    const box = target.getBoundingClientRect();
    const scale = box.width > 0 ? frame.width / box.width : 1;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  };
  const on = (type: "pointerdown" | "pointermove" | "pointerup", act: (event: PointerEvent) => void) =>
    listen(target, type, signal, act);

  on("pointerdown", (event) => {
    const now = current();
    if (!now || event.button !== 0) return;
    pressed = locate(event, now.scene);
    dragging = false;
    target.setPointerCapture?.(event.pointerId);
  });
  on("pointermove", (event) => {
    const now = current();
    if (!now) return;
    const at = locate(event, now.scene);
    if (!pressed) {
      const found = now.scene.pick(at);
      events.point(found);
      target.classList.toggle("ts-on-line", found !== null && found !== now.feature);
      return;
    }
    dragging ||= Math.hypot(at.x - pressed.x, at.y - pressed.y) > STILL;
    if (dragging) events.tau(now.scene.tauAt(now.feature, at), event);
  });
  on("pointerup", (event) => {
    const now = current();
    if (!now || !pressed) return;
    const at = pressed;
    pressed = null;
    if (dragging) return;
    const found = now.scene.pick(at);
    if (found !== null && found !== now.feature) events.feature(found, event);
    else events.tau(now.scene.tauAt(now.feature, at), event);
  });
  for (const type of ["pointercancel", "pointerleave"] as const) {
    listen(target, type, signal, () => {
      if (type === "pointercancel") pressed = null;
      events.point(null);
      target.classList.remove("ts-on-line");
    });
  }
}

export interface Beside {
  readonly x: number;
  readonly y: number;
  readonly lower?: number;
  readonly upper?: number;
  readonly level: number;
  /** What it is, in words. */
  readonly words: string;
}

const DIAMOND = "M0,-7 L6,0 L0,7 L-6,0 Z";
/** Points to the right. */
const ARROW = "M8,0 L-4,-7 L-4,7 Z";

export function createPlane(signal: AbortSignal, events: PlaneEvents) {
  const back = svg("svg", { class: "ts-back", "aria-hidden": "true" });
  const chosen = svg("g");
  const cursor = svg("line", { class: "ts-cursor" });
  const dot = svg("circle", { class: "ts-dot", r: 5 });
  const besideBar = svg("line", { class: "ts-beside-bar" });
  const besideSign = svg("path", { class: "ts-beside-sign" });
  const besideWords = svg("title");
  const besides = svg("g", { class: "ts-beside", visibility: "hidden" }, besideWords, besideBar, besideSign);
  const pointedLine = svg("path", { class: "ts-pointed-line" });
  const pointedName = svg("text", { class: "ts-name", dy: "0.32em" });
  const pointed = svg("g", { class: "ts-pointed", visibility: "hidden" }, pointedLine, pointedName);
  const front = svg("svg", { class: "ts-front", role: "img" }, chosen, pointed, cursor, dot, besides);
  const element = html("div", { class: "ts-plane" }, back, front);

  let scene: Scene | null = null;
  let feature = 0;
  let highlighted: number | null = null;
  let names: FrontLayer["names"] = new Map();
  let remarks: FrontLayer["remarks"] = [];
  followPointer(front, () => scene && { scene, feature }, events, signal);

  const highlight = (next: number | null) => {
    const shown = next === feature ? null : next;
    if (shown === highlighted) return;
    if (highlighted !== null) names.get(highlighted)?.removeAttribute("visibility");
    highlighted = shown;
    pointed.setAttribute("visibility", shown === null ? "hidden" : "visible");
    if (!scene || shown === null) return;
    const { solid, faded } = scene.line(shown);
    pointedLine.setAttribute("d", solid + faded);
    const label = scene.front(shown).labels.find((label) => label.feature === shown);
    setText(pointedName, label?.text ?? "");
    if (label)
      setAttributes(pointedName, { x: tenth(label.x), y: tenth(label.y), "text-anchor": label.anchor });
    names.get(shown)?.setAttribute("visibility", "hidden");
  };

  return {
    element,
    /** A new scene; `choose` must follow. */
    show(next: Scene) {
      scene = next;
      const { width, height, top, bottom } = next.frame;
      const size = { width, height, viewBox: `0 0 ${width} ${height}` };
      setAttributes(back, size);
      setAttributes(front, size);
      element.style.height = `${height}px`;
      back.replaceChildren(...drawBack(next));
      setAttributes(cursor, { y1: top, y2: bottom, visibility: next.cursor ? "visible" : "hidden" });
    },
    choose(next: number, notes: Notes, summary: string) {
      if (!scene) return;
      highlight(null);
      feature = next;
      front.setAttribute("aria-label", summary);
      const layer = drawFront(scene, next, notes);
      names = layer.names;
      remarks = layer.remarks;
      chosen.replaceChildren(...layer.elements);
    },
    mark(t: number) {
      if (!scene) return;
      const { x, y } = scene.point(feature, t);
      const drawn = Number.isFinite(x) && Number.isFinite(y);
      setAttribute(dot, "visibility", drawn ? "visible" : "hidden");
      if (drawn) setAttribute(dot, "transform", `translate(${tenth(x)},${tenth(y)})`);
      if (!Number.isFinite(x)) return;
      setAttribute(cursor, "transform", `translate(${tenth(x)},0)`);
      if (scene.cursor) clearCursor(scene, remarks, x);
    },
    /**
     * A point beside the curves, values of the axes, with its interval where the y axis has one; an arrow where it lies
     * beyond an axis. Null takes it away.
     */
    beside(point: Beside | null) {
      setAttribute(besides, "visibility", point && scene ? "inherit" : "hidden");
      if (!point || !scene) return null;
      const placed = scene.place(point.x, point.y);
      const { x, y, beyond } = placed;
      const within = beyond.x === 0 && beyond.y === 0;
      const turned = Math.round((Math.atan2(beyond.y, beyond.x) * 180) / Math.PI);
      setAttribute(besideSign, "d", within ? DIAMOND : ARROW);
      setAttribute(besideSign, "transform", `translate(${tenth(x)},${tenth(y)}) rotate(${turned})`);
      setText(besideWords, point.words);
      besides.classList.toggle("ts-is-unreliable", point.level > 1);
      const { lower, upper } = point;
      const drawn = Number.isFinite(lower) && Number.isFinite(upper);
      setAttribute(besideBar, "visibility", drawn ? "inherit" : "hidden");
      if (!drawn) return placed;
      const [y1, y2] = [lower as number, upper as number].map((end) =>
        tenth((scene as Scene).place(point.x, end).y),
      );
      setAttributes(besideBar, { x1: tenth(x), x2: tenth(x), y1, y2 });
      return placed;
    },
    highlight,
  };
}
