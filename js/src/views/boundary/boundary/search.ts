/** Another search under the constraints chosen: how many rows the model was asked about, a way to stop, what failed. */

import { createButton } from "../../../marks/button";
import { html, setText, showText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Context, Part, View } from "./context";
import { isSearched } from "./state";

function heldWords({ fixed, bounds }: View["state"]): string {
  const locked = fixed.length > 0 ? [`${count(fixed.length)} locked`] : [];
  const free = Object.keys(bounds).filter((name) => !fixed.includes(name)).length;
  const bounded = free > 0 ? [`${count(free)} bounded`] : [];
  return [...locked, ...bounded].join(", ");
}

export function createSearch({ message, intend, search, stop, signal }: Context): Part {
  const button = createButton({ "data-testid": "search-again" }, [], signal, (event) =>
    busy ? cancel(event) : search(),
  );
  const free = createButton(
    { class: "ts-more", "data-testid": "free" },
    "free all features",
    signal,
    (event) => intend({ fixed: [], bounds: {} }, event),
  );
  const words = html("span", { class: "ts-quiet", role: "status", "data-testid": "progress" });
  const problem = html("p", { class: "ts-problem", role: "alert", "data-testid": "problem" });
  let busy = false;
  let view: View | null = null;
  /** Stop, and go back to what is shown where another row or class was on its way. */
  const cancel = (event: Event) => {
    stop();
    if (!view?.stale) return;
    const { row, target, fixed, bounds } = view.answer;
    intend({ row, target, fixed, bounds }, event);
  };
  button.disabled = !message.live;
  return {
    element: html("div", { class: "ts-search-again" }, button, words, free, problem),
    update(now) {
      view = now;
      const { state, answer, progress, stale } = now;
      busy = (progress?.doing ?? "") !== "";
      const waiting = !isSearched(answer, state);
      button.classList.toggle("ts-is-waiting", waiting && !busy);
      setText(button, busy ? "Cancel" : "Search again");
      const held = heldWords(state);
      free.hidden = !message.live || held === "";
      const asked = `${count(answer.n_model_rows)} model rows`;
      if (busy && progress)
        setText(words, `${progress.doing}, ${count(progress.n_model_rows)} model rows so far…`);
      else if (!message.live) setText(words, `${asked}. ${message.offline}`);
      else if (waiting) setText(words, `${held || "nothing held"}; not searched yet`);
      else setText(words, held ? `${asked}, ${held}` : asked);
      showText(problem, stale ? "" : (progress?.error ?? ""));
    },
  };
}
