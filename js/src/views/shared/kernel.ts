/** Whether the kernel that drew a view still answers it, where the host shows its kernel: JupyterLab, Notebook, Voila. */

import type { AnyModel } from "@anywidget/types";

type Slot = () => void;
interface Signal {
  connect(slot: Slot): unknown;
  disconnect(slot: Slot): unknown;
}
interface Kernel {
  readonly status?: string;
  readonly isDisposed?: boolean;
  readonly connectionStatus?: string;
  readonly statusChanged?: Signal;
  readonly connectionStatusChanged?: Signal;
  readonly disposed?: Signal;
}

export const GONE =
  "The kernel has ended, was restarted or is out of reach: run the cell again, or reload the page in Voila.";

/** A kernel that restarts comes back without this view's results. */
const ENDED: readonly unknown[] = ["terminating", "restarting", "autorestarting", "dead"];

export interface KernelWatch {
  readonly gone: () => boolean;
}

/** The host's kernel; undefined where it shows none, null where it has none. */
function kernelOf(model: unknown): Kernel | null | undefined {
  return (model as { widget_manager?: { kernel?: Kernel | null } }).widget_manager?.kernel;
}

/** Call back when the kernel has gone, for good where it ended; one out of reach may be reached again. */
export function watchKernel(model: unknown, changed: () => void, signal: AbortSignal): KernelWatch {
  const kernel = kernelOf(model);
  const isEnded = () => {
    const now = kernelOf(model);
    return now === null || (now !== undefined && (now.isDisposed === true || ENDED.includes(now.status)));
  };
  const isAway = () => kernel?.connectionStatus === "disconnected";
  let ended = isEnded();
  let away = isAway();
  const look = () => {
    const before = ended || away;
    ended ||= isEnded() || kernel?.isDisposed === true;
    away = isAway();
    if ((ended || away) !== before) changed();
  };
  for (const about of [kernel?.statusChanged, kernel?.connectionStatusChanged, kernel?.disposed]) {
    about?.connect(look);
    signal.addEventListener("abort", () => about?.disconnect(look), { once: true });
  }
  return { gone: () => ended || away };
}

/** Whether a message says that a kernel can be asked. */
export function isLive(message: unknown): boolean {
  return (message as { live?: unknown } | null | undefined)?.live === true;
}

/** What a kernel that is gone left half done is at an end. */
function withoutWork(value: unknown): unknown {
  const { doing } = (value ?? {}) as { doing?: unknown };
  return typeof doing === "string" && doing !== "" ? { ...(value as object), doing: "" } : value;
}

/** The same model for a page without a kernel. */
export function withoutKernel<T extends Record<string, unknown>>(model: AnyModel<T>): AnyModel<T> {
  return new Proxy(model, {
    get(target, property) {
      const found: unknown = Reflect.get(target, property, target);
      if (typeof found !== "function") return found;
      if (property !== "get") return found.bind(target);
      return (name: keyof T & string) => {
        const value = target.get(name);
        if (name !== "message") return withoutWork(value);
        return isLive(value) ? { ...(value as object), live: false, offline: GONE } : value;
      };
    },
  });
}
