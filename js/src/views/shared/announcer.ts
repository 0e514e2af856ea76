/** Says what is shown to a screen reader, once it has come to rest. */

import { html, setText } from "../../marks/element";
import type { Part } from "./part";

/** Milliseconds without a change before anything is said. */
const REST = 500;

/** @param words what to say, asked when it is said; the first state is not, for nobody moved anything */
export function createAnnouncer<V>(signal: AbortSignal, words: (now: V) => string): Part<V> {
  const element = html("p", { class: "ts-hidden", role: "status", "aria-live": "polite" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return {
    element,
    update(now, before) {
      clearTimeout(timer);
      if (before !== null) timer = setTimeout(() => setText(element, words(now)), REST);
    },
  };
}
