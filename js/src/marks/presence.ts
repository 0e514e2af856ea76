/** Whether an element has a place on the page: none while it, or what it stands in, is hidden. */
export interface Presence {
  /** As of the last frame; true before the first. */
  here(): boolean;
  /** Call when it has a place again, before the page is painted. */
  onReturn(call: () => void): void;
}

/** Follow an element until the signal aborts. */
export function followPresence(element: Element, signal: AbortSignal): Presence {
  let here = true;
  const calls: (() => void)[] = [];
  if (typeof ResizeObserver !== "undefined") {
    const observer = new ResizeObserver(([entry]) => {
      const before = here;
      here = entry !== undefined && (entry.contentRect.width > 0 || entry.contentRect.height > 0);
      if (here && !before) for (const call of calls) call();
    });
    observer.observe(element);
    signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  }
  return { here: () => here, onReturn: (call) => void calls.push(call) };
}
