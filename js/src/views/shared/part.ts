/** A piece of a panel, which is told what to show. */

import { type Attributes, type Child, html } from "../../marks/element";
import type { Presence } from "../../marks/presence";

export interface Part<V> {
  readonly element: HTMLElement;
  /** @param before what it was told last; null the first time */
  update(next: V, before: V | null): void;
}

/** Parts in one element, told of the same one after the other; what else is in it stays as it is. */
export function grouped<V>(
  tag: keyof HTMLElementTagNameMap,
  attributes: Attributes,
  ...children: readonly (Part<V> | Child)[]
): Part<V> {
  const parts = children.filter((child): child is Part<V> => Object.hasOwn(Object(child), "update"));
  return {
    element: html(tag, attributes, ...children),
    update(next, before) {
      for (const part of parts) part.update(next, before);
    },
  };
}

/** The same part, told of nothing while its place is hidden, and of the latest once it is not. */
export function whileHere<V>(part: Part<V>, { here, onReturn }: Presence): Part<V> {
  let told: V | null = null;
  let missed: V | null = null;
  const tell = (next: V) => {
    const before = told;
    told = next;
    missed = null;
    part.update(next, before);
  };
  onReturn(() => {
    if (missed !== null) tell(missed);
  });
  return {
    element: part.element,
    update(next) {
      if (here()) tell(next);
      else missed = next;
    },
  };
}

/** The same part, told of what a state is worked out to. */
export function derived<S, V>(part: Part<V>, derive: (state: S) => V): Part<S> {
  let last: V | null = null;
  return {
    element: part.element,
    update(state) {
      const now = derive(state);
      part.update(now, last);
      last = now;
    },
  };
}

/**
 * The same part, drawn a frame after the next and always as of the latest; at once the first time. For what lies
 * further off: a key press waits for the population and the chosen number alone.
 */
export function inNextFrame<V>(part: Part<V>, signal: AbortSignal): Part<V> {
  let latest: V | null = null;
  let drawn: V | null = null;
  let frame = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  const draw = () => {
    frame = 0;
    if (latest === null) return;
    part.update(latest, drawn);
    drawn = latest;
  };
  return {
    element: part.element,
    update(next, before) {
      latest = next;
      if (before === null) draw();
      else if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = requestAnimationFrame(draw);
        });
      }
    },
  };
}
