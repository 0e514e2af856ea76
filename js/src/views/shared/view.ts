/** The life of a view, the same for all: a root, what it shows for its data, and nothing left behind. */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { html } from "../../marks/element";
import { applyTheme } from "../../theme/theme";
import { isWaiting, WireError } from "../../wire/schema";
import { oncePerFrame } from "./once_per_frame";
import { bindTraits, type Traits } from "./traits";

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

/** Whether the kernel that drew a view still answers it, where the host shows its kernel: JupyterLab, Notebook, Voila. */
export const GONE =
  "The kernel has ended, was restarted or is out of reach: run the cell again, or reload the page in Voila.";

/** A kernel that restarts comes back without this view's results. */
const ENDED: readonly unknown[] = ["terminating", "restarting", "autorestarting", "dead"];

/** The host's kernel; undefined where it shows none, null where it has none. */
function kernelOf(model: unknown): Kernel | null | undefined {
  return (model as { widget_manager?: { kernel?: Kernel | null } }).widget_manager?.kernel;
}

/** Call back when the kernel has gone, for good where it ended; one out of reach may be reached again. */
export function watchKernel(model: unknown, signal: AbortSignal, changed: () => void) {
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

interface Scheduler {
  postTask(task: () => void, options: { readonly priority: "user-blocking" }): Promise<void>;
}

/**
 * Not a timer, nor a message where there is better: browsers let both wait behind what else the page has to do, long
 * after the frame was painted.
 */
function createAfterFrame(signal: AbortSignal, call: () => void): () => void {
  const alive = () => {
    if (!signal.aborted) call();
  };
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler };
  if (scheduler) return () => void scheduler.postTask(alive, { priority: "user-blocking" });
  const { port1: heard, port2: asked } = new MessageChannel();
  heard.onmessage = alive;
  signal.addEventListener("abort", () => heard.close(), { once: true });
  return () => asked.postMessage(null);
}

interface PaintClock {
  /** The page was changed, by an input event or (null) from elsewhere. */
  changed(event: Event | null): void;
}

/** Counts painted frames on the root element, and how long the last one took from its input event. */
export function createPaintClock(root: HTMLElement, signal: AbortSignal): PaintClock {
  let revision = 0;
  let since: number | null = null;
  let frame = 0;
  const afterFrame = createAfterFrame(signal, () => {
    if (since !== null) root.dataset.latency = (performance.now() - since).toFixed(2);
    since = null;
    frame = 0;
    root.dataset.ready = "1";
    root.dataset.rev = String(++revision);
  });
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

/** @param what what is waited for, such as "the curves" */
function waitingBox(what: string): HTMLElement {
  return html("p", { class: "ts-box", role: "status" }, `Waiting for ${what} from the kernel…`);
}

/** @param these what cannot be shown, such as "These stress curves" */
function errorBox(these: string, error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof WireError ? "The message from the kernel cannot be read" : "Drawing failed";
  return html(
    "div",
    { class: "ts-box ts-error", role: "alert" },
    html("b", {}, `${these} cannot be shown.`),
    html("p", {}, `${cause}: ${reason}.`),
  );
}

/** Where one set of data is shown, until the signal aborts. */
export interface Stage<T extends Record<string, unknown>> {
  readonly root: HTMLElement;
  readonly traits: Traits<T>;
  /** What the traits are of, for views inside this one. */
  readonly model: AnyModel<T>;
  readonly clock: PaintClock;
  readonly signal: AbortSignal;
  /** A callback whose error is shown in words in place of the panel. */
  readonly guard: (act: () => void) => () => void;
  /** Whether the kernel that drew the view has ended. */
  readonly gone: boolean;
}

export interface ViewOptions<T extends Record<string, unknown>> {
  /** Class of the root element. */
  readonly root: string;
  /** Traits that have everything drawn anew. */
  readonly data: readonly (keyof T & string)[];
  /** What is waited for, such as "the curves". */
  readonly awaited: string;
  /** What an error keeps from being shown, such as "These stress curves". */
  readonly shown: string;
  /** Whether there is nothing to show yet; by default, whether there is no message. */
  readonly isWaiting?: (traits: Traits<T>) => boolean;
  /** Whether the kernel is asked for more; else, whether the message is live. */
  readonly asksKernel?: (traits: Traits<T>) => boolean;
  /** What goes on working where the kernel has gone. */
  readonly works?: string;
  /** Read the data and put a panel into the root; what it throws is shown in words. */
  mount(stage: Stage<T>): void;
}

/** A controller that also aborts with `signal`, and leaves nothing on it afterwards. */
function childController(signal: AbortSignal | undefined): AbortController {
  const inner = new AbortController();
  if (signal?.aborted) inner.abort();
  signal?.addEventListener("abort", () => inner.abort(), { once: true, signal: inner.signal });
  return inner;
}

function goneBox(works: string): HTMLElement {
  const element = html("p", { class: "ts-box ts-gone", role: "status", "data-testid": "kernel-gone" }, GONE);
  if (works) element.append(" ", html("span", { class: "ts-quiet" }, works));
  return element;
}

/** Draw anew, and leave the keyboard where it was: on what has the same test id, else on the view itself. */
function keepFocus(root: HTMLElement, draw: () => void): void {
  const focused = () => {
    const { activeElement } = root.getRootNode() as Document | ShadowRoot;
    return root.contains(activeElement) ? (activeElement as HTMLElement) : null;
  };
  const before = focused();
  draw();
  if (!before || focused()) return;
  const all = [...root.querySelectorAll<HTMLElement>("[data-testid]")];
  all.find(({ dataset }) => dataset.testid === before.dataset.testid)?.focus();
  if (focused()) return;
  root.tabIndex = -1;
  root.focus({ preventScroll: true });
}

export function createView<T extends Record<string, unknown>>(options: ViewOptions<T>) {
  function render({ model, el, signal }: RenderProps<T>): () => void {
    const life = childController(signal);
    const root = html("div", { class: `tauscope ${options.root}`, lang: "en" });
    applyTheme(root);
    el.append(root);
    const clock = createPaintClock(root, life.signal);
    const given = model as AnyModel<T>;
    const kernel = watchKernel(model, life.signal, () => draw());
    const bind = (until: AbortSignal) => bindTraits<T>(kernel.gone() ? withoutKernel(given) : given, until);
    const traits = bind(life.signal);

    const redraw = oncePerFrame(life.signal, () => keepFocus(root, draw));
    const data = () => options.data.map((name) => traits.get(name));
    let drawn = data();
    const guard = (act: () => void) => () => {
      try {
        act();
      } catch (error) {
        // what goes with other data may come before the panel is told of these
        if (data().every((value, k) => value === drawn[k]))
          root.replaceChildren(errorBox(options.shown, error));
        else redraw();
      }
    };

    let shown = childController(life.signal);
    const draw = () => {
      shown.abort();
      shown = childController(life.signal);
      drawn = data();
      if (options.isWaiting?.(traits) ?? isWaiting(given.get("message"))) {
        root.replaceChildren(waitingBox(options.awaited));
        return;
      }
      const { signal: until } = shown;
      const gone = kernel.gone();
      guard(() =>
        options.mount({ root, traits: bind(until), model: given, clock, signal: until, guard, gone }),
      )();
      const asks = () => options.asksKernel?.(traits) ?? isLive(given.get("message"));
      if (gone && asks()) root.prepend(goneBox(options.works ?? ""));
    };
    draw();

    traits.onChange(options.data, redraw);
    life.signal.addEventListener("abort", () => root.remove(), { once: true });
    return () => life.abort();
  }
  return { render };
}
