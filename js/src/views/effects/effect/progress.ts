/** What the kernel is at, with a way to stop it; what went wrong; and that it has not answered. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Context, Part, View } from "./context";
import { KIND_WORDS } from "./words";

/** Milliseconds without a word before the page says so. */
const PATIENCE = 8000;

function chosenWords({ state }: View): string {
  return `${KIND_WORDS[state.kind]} on ${state.features.join(" and ")}`;
}

export function createProgress({ message, intend, signal, stop }: Context): Part {
  const words = html("span");
  const bar = html("progress", { max: 1, "aria-hidden": "true" });
  const cancel = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "cancel", ...OWN_KEYS },
    "Cancel",
  );
  const element = html(
    "div",
    { class: "ts-progress", role: "status", "data-testid": "progress" },
    words,
    bar,
    cancel,
  );
  let view: View | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });

  const back = (event: Event) => {
    stop();
    if (!view || view.shown.chosen) return;
    const { part } = view.shown;
    intend({ features: part.features, kind: part.kind, compared: [] }, event);
  };
  cancel.addEventListener("click", back, { signal });

  return {
    element,
    update(now) {
      const { working, shown } = now;
      const waits = !shown.chosen && !working.error;
      if (!waits || working.doing || view?.shown.chosen !== false) clearTimeout(timer);
      view = now;
      element.classList.toggle("ts-doubtful", working.error !== "");
      bar.hidden = working.doing === "" || working.total === 0;
      bar.value = working.total > 0 ? working.done / working.total : 0;
      cancel.hidden = shown.chosen && working.doing === "";
      setText(cancel, working.error ? "Back" : "Cancel");
      if (working.error) setText(words, `There is no ${chosenWords(now)}: ${working.error}`);
      else if (working.doing) {
        const far = working.total > 0 ? `, ${count(working.done)} of ${count(working.total)}` : "";
        setText(words, `${working.doing}${far}…`);
      } else if (!shown.chosen) {
        setText(
          words,
          `The kernel is asked for the ${chosenWords(now)}; grey is the ${KIND_WORDS[shown.part.kind]} on ${shown.part.features.join(" and ")}…`,
        );
        timer = setTimeout(() => {
          setText(
            words,
            `No answer yet for the ${chosenWords(now)}: the kernel is busy, or this page has none.`,
          );
        }, PATIENCE);
      } else setText(words, "");
      element.hidden = words.textContent === "" || !message.live;
    },
  };
}
