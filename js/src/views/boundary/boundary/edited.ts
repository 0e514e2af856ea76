/** What the kernel decides for the row as edited, the way back, and the way to inspect it. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText, showText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { alike } from "../../shared/loop";
import { counted } from "../../shared/words";
import type { Context, Part, View } from "./context";

function triedWords({ state: { edits } }: View): string {
  const n = Object.keys(edits).length;
  return `${counted(n, "value")} tried`;
}

/** What the kernel said of these very edits; null while it has not, or if it ended before. */
function answerOf({ state, decision }: View): View["decision"] {
  const isAsked = decision?.row === state.row && alike(decision.edits, state.edits);
  const isSaid = decision?.doing === "" && (decision.sentence !== "" || decision.error !== "");
  return isAsked && isSaid ? decision : null;
}

export function createEdited({ message, intend, inspect, signal }: Context): Part {
  const sentence = html("p", { role: "status", hidden: true, "data-testid": "decision" });
  const words = html("span", { class: "ts-quiet", "data-testid": "decision-cost" });
  const take = createButton({ "data-testid": "inspect" }, "Inspect this row", signal, inspect);
  const back = createButton({ class: "ts-more", "data-testid": "own-values" }, [], signal, (event) =>
    intend({ edits: {} }, event),
  );
  const problem = html("p", { class: "ts-problem", role: "alert", "data-testid": "decision-problem" });
  const element = html(
    "section",
    { class: "ts-edited", "aria-label": "The row with other values" },
    sentence,
    html("div", { class: "ts-edited-line" }, take, back, words),
    problem,
  );
  return {
    element,
    update(view) {
      const { state, decision, progress } = view;
      element.hidden = Object.keys(state.edits).length === 0;
      const answer = answerOf(view);
      const error = answer?.error ?? "";
      if (answer || element.hidden) showText(sentence, answer?.sentence ?? "");
      sentence.classList.toggle("ts-is-stale", !answer);
      element.classList.toggle("ts-is-flipped", answer?.flipped ?? false);
      const asked = answer?.n_model_rows ? `, ${count(answer.n_model_rows)} model rows` : "";
      const doing = message.live
        ? `${decision?.doing || "The kernel is asked"}…`
        : `Not decided. ${message.offline}`;
      setText(words, triedWords(view) + asked + (answer ? "" : `. ${doing}`));
      setText(back, answer || !message.live ? "back to the row's values" : "Cancel");
      showText(problem, error);
      switchOff(take, !message.live || !answer || error !== "" || (progress?.doing ?? "") !== "");
    },
  };
}
