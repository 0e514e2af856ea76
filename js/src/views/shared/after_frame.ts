/** The first task after a painted frame, asked for from within that frame. */

interface Scheduler {
  postTask(task: () => void, options: { readonly priority: "user-blocking" }): Promise<void>;
}

/**
 * Not a timer, nor a message where there is better: browsers let both wait behind what else the page has to do, long
 * after the frame was painted.
 */
export function createAfterFrame(call: () => void, signal: AbortSignal): () => void {
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
