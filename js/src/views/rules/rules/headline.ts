/** What was found, before anything else: the rule as a sentence, or the set that comes nearest; and why it is late. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import type { RulesMessage } from "../../../wire/rules/rules";
import { createLate, lateWords, rowWords } from "../../shared/late";
import type { Context, Part, View } from "./context";
import { reachOf } from "./tolerance";
import { ruleWords } from "./words";

function lateWordsOf(message: RulesMessage, { state, progress }: View): string {
  const within = state.t === null ? "" : ` within ± ${reachOf(state.t)}`;
  return lateWords(
    message,
    `${rowWords(state.row)} at π = ${state.pi}${within}`,
    progress,
    "There are no rules",
  );
}

export function headlineWords({ answer, shown }: View): string {
  return shown ? ruleWords(answer.answer, shown) : answer.status;
}

/** @returns the headline; while another search is under way, with a button that goes back to what is shown */
export function createHeadline({ message, intend, signal }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const status = html("p", { class: "ts-quiet", "data-testid": "status" });
  const late = createLate();
  const cancel = createButton(
    { "data-testid": "cancel" },
    "Cancel",
    (event) => {
      if (!shownNow) return;
      const { row, pi, same } = shownNow;
      intend({ row, pi, t: same?.t ?? null, sliding: null }, event);
    },
    signal,
  );
  const element = html("header", { class: "ts-headline" }, sentence, status, ...late.elements, cancel);
  let shownNow: View["answer"] | null = null;
  return {
    element,
    update(view) {
      const { answer, shown, stale, progress } = view;
      shownNow = answer;
      cancel.hidden = !stale || !message.live;
      setText(cancel, progress?.error ? "Back" : "Cancel");
      setText(sentence, headlineWords(view));
      setText(status, shown ? answer.status : "");
      status.hidden = !shown;
      element.classList.toggle("ts-is-found", answer.reached);
      element.classList.toggle("ts-is-stale", stale);
      const words = stale ? lateWordsOf(message, view) : "";
      late.update(words, answer.row, (progress?.error ?? "") !== "");
    },
  };
}
