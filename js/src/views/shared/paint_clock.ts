/** Counts painted frames on the root element, and how long the last one took from its input event. */

import { createAfterFrame } from "./after_frame";

export interface PaintClock {
  /** The page was changed, by an input event or (null) from elsewhere. */
  changed(event: Event | null): void;
}

export function createPaintClock(root: HTMLElement, signal: AbortSignal): PaintClock {
  let revision = 0;
  let since: number | null = null;
  let frame = 0;
  const afterFrame = createAfterFrame(() => {
    if (since !== null) root.dataset.latency = (performance.now() - since).toFixed(2);
    since = null;
    frame = 0;
    root.dataset.ready = "1";
    root.dataset.rev = String(++revision);
  }, signal);
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  return {
    changed(event) {
      // Outside browsers an event's time may be counted from 1970.
      if (event) since ??= Math.min(event.timeStamp, performance.now());
      if (frame !== 0) return;
      frame = requestAnimationFrame(afterFrame);
      // Laid out as soon as all views have changed, not when the frame has begun: most of the wait for it is idle.
      if (event) queueMicrotask(() => root.getBoundingClientRect());
    },
  };
}
