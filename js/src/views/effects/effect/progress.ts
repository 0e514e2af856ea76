/** What the kernel is at, with a way to stop it; what went wrong; and that it has not answered. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { type EffectMessage, kindLabel } from "../../../wire/effects/effect";
import type { Context, Part, View } from "./context";

/** Milliseconds without a word before the page says so. */
const PATIENCE = 8000;

function chosenWords(message: EffectMessage, { state }: View): string {
  return `${kindLabel(message, state.kind)} on ${state.features.join(" and ")}`;
}

export function createProgress({ message, intend, signal, stop }: Context): Part {
  const words = html("span");
  const bar = html("progress", { max: 1, "aria-hidden": "true" });
  const cancel = createButton({ "data-testid": "cancel" }, "Cancel", (event) => back(event), signal);
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

  return {
    element,
    update(now) {
      const { progress, shown } = now;
      const waits = !shown.chosen && !progress.error;
      if (!waits || progress.doing || view?.shown.chosen !== false) clearTimeout(timer);
      view = now;
      element.classList.toggle("ts-failed", progress.error !== "");
      bar.hidden = progress.doing === "" || progress.total === 0;
      bar.value = progress.total > 0 ? progress.done / progress.total : 0;
      cancel.hidden = shown.chosen && progress.doing === "";
      setText(cancel, progress.error ? "Back" : "Cancel");
      if (progress.error) setText(words, `There is no ${chosenWords(message, now)}: ${progress.error}`);
      else if (progress.doing) {
        const far = progress.total > 0 ? `, ${count(progress.done)} of ${count(progress.total)}` : "";
        setText(words, `${progress.doing}${far}…`);
      } else if (!shown.chosen) {
        setText(
          words,
          `The kernel is asked for the ${chosenWords(message, now)}; grey is the ${kindLabel(message, shown.part.kind)} on ${shown.part.features.join(" and ")}…`,
        );
        timer = setTimeout(() => {
          setText(
            words,
            `No answer yet for the ${chosenWords(message, now)}: the kernel is busy, or this page has none.`,
          );
        }, PATIENCE);
      } else setText(words, "");
      element.hidden = words.textContent === "" || !message.live;
    },
  };
}
