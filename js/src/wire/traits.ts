/** The two-way half of a view: a few small traits, saved at most once per frame. */

import type { AnyModel } from "@anywidget/types";

export interface Traits<T extends Record<string, unknown>> {
  get<K extends keyof T & string>(name: K): T[K];
  /** Set here and now; sent with everything else set before the next frame. */
  set<K extends keyof T & string>(name: K, value: T[K]): void;
  /** Call back on changes from anywhere, until the signal aborts. */
  onChange(names: readonly (keyof T & string)[], callback: () => void): void;
}

export function bindTraits<T extends Record<string, unknown>>(
  model: AnyModel<T>,
  signal: AbortSignal,
): Traits<T> {
  let frame = 0;
  const save = () => {
    frame = 0;
    model.save_changes();
  };
  signal.addEventListener(
    "abort",
    () => {
      if (frame === 0) return;
      cancelAnimationFrame(frame);
      save();
    },
    { once: true },
  );
  return {
    get: (name) => model.get(name),
    set(name, value) {
      if (model.get(name) === value) return;
      model.set(name, value);
      if (frame === 0) frame = requestAnimationFrame(save);
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

/** True until the kernel has sent its first message. */
export function isWaiting(message: unknown): boolean {
  return message === undefined || message === null || Object.keys(message).length === 0;
}
