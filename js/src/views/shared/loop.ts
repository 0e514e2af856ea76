/** The loop of a view: a state from the traits, a panel that shows it, and a person's changes back to the traits. */

// Decided in docs/decisions/0008-a-view-writes-the-stress-only-for-a-persons-own-move.md.

import { followPresence } from "../../marks/presence";
import type { Part } from "./part";
import type { Stage } from "./view";

export interface Actions<S> {
  readonly signal: AbortSignal;
  /** Ask for a change; `event` is the input that caused it. */
  readonly intend: (change: Partial<S>, event: Event | null) => void;
}

export interface LoopOptions<T extends Record<string, unknown>, S, P extends Part<S>> {
  /** Traits that decide on the state. */
  readonly choices: readonly (keyof T & string)[];
  /** The state that the traits ask for; `before` keeps what they do not decide, and is null the first time. */
  read(before: S | null): S;
  /** The state after a person's change; by default what it names, and the rest as it was. */
  change?(state: S, change: Partial<S>): S;
  /** Set the traits after a person's change. */
  write(change: Partial<S>, state: S, before: S): void;
  createPanel(actions: Actions<S>): P;
}

/** Whether two values of a state are alike: plain values, and lists and objects of them. */
export function alike(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && alike(a[name as never], b[name as never]))
  );
}

/**
 * Put a panel into the root, following and moving the traits until the signal aborts. While the root is hidden the
 * panel is told of nothing, and of the latest once it is not.
 *
 * @returns a function that shows the present state again, once something else that it is shown with has changed
 */
export function startLoop<T extends Record<string, unknown>, S extends object, P extends Part<S> = Part<S>>(
  { root, traits, clock, signal, guard }: Stage<T>,
  options: LoopOptions<T, S, P>,
): { readonly panel: P; state(): S; repaint(): void } {
  let state = options.read(null);
  let writing = false;
  let missed = false;
  const show = (next: S, event: Event | null) => {
    missed = false;
    const before = state;
    state = next;
    panel.update(state, before);
    clock.changed(event);
  };
  const panel = options.createPanel({
    signal,
    intend(change, event) {
      const before = state;
      show(options.change?.(state, change) ?? { ...state, ...change }, event);
      writing = true;
      options.write(change, state, before);
      writing = false;
    },
  });
  const follow = guard(() => {
    const next = options.read(state);
    if (!root.contains(panel.element)) root.replaceChildren(panel.element);
    if (missed || !alike(next, state)) show(next, null);
  });
  const presence = followPresence(root, signal);
  presence.onReturn(() => {
    if (missed) follow();
  });
  const whenHere = (act: () => void) => {
    if (presence.here()) act();
    else missed = true;
  };
  traits.onChange(options.choices, () => {
    if (!writing) whenHere(follow);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
  return { panel, state: () => state, repaint: () => whenHere(() => show(state, null)) };
}
