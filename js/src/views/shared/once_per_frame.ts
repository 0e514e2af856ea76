/** What is asked for several times within a frame, such as by traits that come one after the other. */

/** Calls once in the next frame, however often it was asked for before that. */
export function oncePerFrame(signal: AbortSignal, call: () => void): () => void {
  let frame = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  return () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(call);
  };
}
