/** A ResizeObserver that says what a test tells it to. */

import { vi } from "vitest";

type Told = (
  entries: { readonly contentRect: { readonly width: number; readonly height: number } }[],
) => void;

/** In the place of the page's until `vi.unstubAllGlobals`. */
export function stubResizeObserver() {
  const watched = new Map<Element, Set<Told>>();
  class Observer {
    readonly told: Told;
    constructor(told: Told) {
      this.told = told;
    }
    observe(element: Element) {
      watched.set(element, (watched.get(element) ?? new Set()).add(this.told));
    }
    disconnect() {
      for (const calls of watched.values()) calls.delete(this.told);
    }
  }
  vi.stubGlobal("ResizeObserver", Observer);
  /** Of an element and all inside it. */
  const resize = (element: Element, width: number, height: number) => {
    for (const [one, calls] of watched)
      if (element.contains(one)) for (const call of calls) call([{ contentRect: { width, height } }]);
  };
  return {
    resize,
    hide: (element: Element) => resize(element, 0, 0),
    show: (element: Element) => resize(element, 640, 200),
    watching: () => [...watched.values()].reduce((sum, calls) => sum + calls.size, 0),
  };
}
