/** Pointer on a plane: hovering names a line, clicking it chooses it, clicking beside it or dragging sets τ. */

import { listen } from "./element";
import type { Point, Scene } from "./scene";

export interface PlaneEvents {
  tau(t: number, event: Event): void;
  feature(feature: number, event: Event): void;
  point(feature: number | null): void;
}

/** Pixels a press may wander and still be a click. */
const STILL = 4;

export function followPointer(
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
    listen(target, type, act, signal);

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
    listen(
      target,
      type,
      () => {
        if (type === "pointercancel") pressed = null;
        events.point(null);
        target.classList.remove("ts-on-line");
      },
      signal,
    );
  }
}
