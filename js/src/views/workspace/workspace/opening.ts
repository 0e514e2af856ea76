/** What stands in a panel until its view is there: how far it is and a way to stop it, or why there is none. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { OpenedMessage } from "../../../wire/messages";

/** Whether a view can be asked for: "gone" after the kernel, and "none" in a saved page. */
export type KernelState = "live" | "gone" | "none";

/** Why a view that is not open cannot be. */
export const NOT_HERE: Readonly<Record<KernelState, string>> = {
  live: "The kernel does not answer: it is busy or out of reach. If this stays, run the cell again, or reload the page in Voila.",
  gone: "This view was not opened before the kernel was lost, and only the kernel can compute it.",
  none: "This view was not saved with the page. Show the study in a notebook to open it.",
};
/** Milliseconds without a word from the kernel before the page says so. */
const PATIENCE = 8000;

export interface OpeningActions {
  cancel(): void;
  compute(): void;
}

export interface Opening {
  readonly element: HTMLElement;
  /** @param opened what the kernel says; undefined before its first word */
  update(opened: OpenedMessage | undefined): void;
}

export function workingWords({ words, done, total, unit }: OpenedMessage): string {
  if (done === 0) return `${words}…`;
  return `${words}: ${count(done)}${total > 0 ? ` of ${count(total)}` : ""} ${unit}…`;
}

/** @param label of the view, on its button */
export function createOpening(
  label: string,
  refused: string,
  kernel: KernelState,
  actions: OpeningActions,
  signal: AbortSignal,
): Opening {
  const words = html("p", { role: "status", "data-testid": "opening" });
  const bar = html("progress", { max: 1, "aria-label": `How far: ${label}` });
  const late = html("p", { class: "ts-quiet", role: "status" });
  const cancel = createButton({ "data-testid": "cancel-opening" }, "Cancel", signal, actions.cancel);
  const again = createButton({ "data-testid": "compute" }, [], signal, actions.compute);
  const element = html("div", { class: "ts-box ts-opening" }, words, bar, late, cancel, again);

  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  const wait = (said: string) => {
    clearTimeout(timer);
    setText(late, "");
    timer = setTimeout(() => setText(late, said), PATIENCE);
  };
  return {
    element,
    update(opened) {
      clearTimeout(timer);
      setText(late, "");
      const state = opened?.state;
      const working = state === "working" && kernel === "live" ? opened : undefined;
      const asked = !opened && !refused && kernel === "live";
      bar.hidden = !(working || asked);
      if (working && working.total > 0) bar.value = working.done / working.total;
      else bar.removeAttribute("value");
      cancel.hidden = !working;
      again.hidden = kernel !== "live" || !opened?.again;
      setText(again, state === "failed" ? "Try again" : "Compute");
      element.classList.toggle("ts-failed", state === "failed" && opened?.again === true);
      if (working) {
        setText(words, workingWords(working));
        wait(
          "No word for some time: the model takes long over its rows, or the kernel is busy or out of reach.",
        );
      } else if (asked) {
        setText(words, `The kernel is asked for this view (${label.toLowerCase()})…`);
        wait(NOT_HERE.live);
      } else setText(words, (state === "working" ? "" : opened?.words) || refused || NOT_HERE[kernel]);
    },
  };
}
