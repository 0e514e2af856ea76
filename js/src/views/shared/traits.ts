/** The two-way half of a view: a few small traits, set at once and saved a few times a second. */

import type { AnyModel } from "@anywidget/types";

export interface Traits<T extends Record<string, unknown>> {
  get<K extends keyof T & string>(name: K): T[K];
  /** Several at once, by name. */
  pick<K extends keyof T & string>(names: readonly K[]): Pick<T, K>;
  /** Set here and now; sent in the next frame, or with what else is set until the kernel is written to again. */
  set<K extends keyof T & string>(name: K, value: T[K]): void;
  /** Call back on changes from anywhere, until the signal aborts. */
  onChange(names: readonly (keyof T & string)[], callback: () => void): void;
}

/** Milliseconds from one message to the kernel to the next, so that a stream of keys does not stop for each. */
const REST = 100;

/** Calls in the next frame, and not again before a rest; what was asked meanwhile is called once, at its end. */
function throttle(signal: AbortSignal, call: () => void): () => void {
  let pending = false;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    frame = 0;
    pending = false;
    call();
    timer = setTimeout(() => {
      timer = undefined;
      if (pending) now();
    }, REST);
  };
  const leave = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    if (pending) call();
  };
  signal.addEventListener("abort", leave, { once: true });
  return () => {
    pending = true;
    if (frame === 0 && timer === undefined) frame = requestAnimationFrame(now);
  };
}

export function bindTraits<T extends Record<string, unknown>>(
  model: AnyModel<T>,
  signal: AbortSignal,
): Traits<T> {
  const save = throttle(signal, () => model.save_changes());
  return {
    get: (name) => model.get(name),
    pick: <K extends keyof T & string>(names: readonly K[]) =>
      Object.fromEntries(names.map((name) => [name, model.get(name)])) as Pick<T, K>,
    set(name, value) {
      if (model.get(name) === value) return;
      model.set(name, value);
      save();
    },
    onChange(names, callback) {
      for (const name of names) model.on(`change:${name}`, callback);
      const leave = () => {
        for (const name of names) model.off(`change:${name}`, callback);
      };
      signal.addEventListener("abort", leave, { once: true });
    },
  };
}
