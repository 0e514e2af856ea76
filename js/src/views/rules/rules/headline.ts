/** What was found, before anything else: the rule as a sentence, or the set that comes nearest; and why it is late. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { RulesMessage } from "../../../wire/rules/rules";
import type { Context, Part, View } from "./context";
import { reachOf } from "./tolerance";
import { ruleWords } from "./words";

/** Why what is shown is not what was chosen: it is on its way, it failed, or it cannot be had. */
function lateWords({ live, offline }: RulesMessage, { state, progress }: View): string {
  const where = state.row < 0 ? "the values given" : `row ${count(state.row)}`;
  const within = state.t === null ? "" : ` within ± ${reachOf(state.t)}`;
  const wanted = `${where} at π = ${state.pi}${within}`;
  if (progress?.error) return `There are no rules for ${wanted}: ${progress.error}`;
  if (progress?.doing) return `${progress.doing}…`;
  return live ? `The kernel is asked for ${wanted}…` : `Not ${wanted}. ${offline}`;
}

export function headlineWords({ answer, shown }: View): string {
  return shown ? ruleWords(answer.answer, shown) : answer.status;
}

/** @returns the headline; while another search is under way, with a button that goes back to what is shown */
export function createHeadline({ message, intend, signal }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const status = html("p", { class: "ts-quiet", "data-testid": "status" });
  const late = html("p", { role: "status", "data-testid": "late" });
  const grey = html("p", { class: "ts-quiet", "data-testid": "grey" });
  const cancel = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "cancel", ...OWN_KEYS },
    "Cancel",
  );
  const element = html("header", { class: "ts-headline" }, sentence, status, late, grey, cancel);
  let shownNow: View["answer"] | null = null;
  cancel.addEventListener(
    "click",
    (event) => {
      if (!shownNow) return;
      const { row, pi, same } = shownNow;
      intend({ row, pi, t: same?.t ?? null, sliding: null }, event);
    },
    { signal },
  );
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
      setText(late, stale ? lateWords(message, view) : "");
      late.classList.toggle("ts-failed", (progress?.error ?? "") !== "");
      late.hidden = !stale;
      setText(
        grey,
        stale ? `Grey is still ${answer.row < 0 ? "the values given" : `row ${count(answer.row)}`}.` : "",
      );
      grey.hidden = !stale;
    },
  };
}
