/** Says the words to a screen reader once they have come to rest. */

import { html, setText } from "../../../marks/element";
import type { Context, Part } from "./context";
import { differenceFormat, pointWords } from "./reading";
import { movedWords, shareWords } from "./words";

/** Milliseconds without a change before the words are said. */
const REST = 500;

export function createAnnouncer({ message, signal }: Context): Part {
  const element = html("p", { class: "ts-hidden", role: "status", "aria-live": "polite" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = true;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return {
    element,
    update(view) {
      clearTimeout(timer);
      if (first) {
        first = false;
        return;
      }
      timer = setTimeout(() => {
        const { shown, state } = view;
        const point = state.point === null ? "" : pointWords(message, view);
        const band = `Band for ${shareWords(shown.distance)} of the weight.`;
        setText(
          element,
          [point, movedWords(shown, differenceFormat(message, shown)), band].filter(Boolean).join(" "),
        );
      }, REST);
    },
  };
}
