/** Follow an element's width until the signal aborts; hidden elements (width 0) are left alone. */
export function followWidth(element: Element, signal: AbortSignal, resized: (width: number) => void): void {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width > 0) resized(width);
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
