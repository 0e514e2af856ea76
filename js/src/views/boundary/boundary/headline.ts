/** What was found, before anything else: the sentence, how its lower bound was found, and what was tried in vain. */

import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Context, Part } from "./context";

export function createHeadline({ message }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const certificate = html("p", { class: "ts-quiet", "data-testid": "certificate" });
  const status = html("p", { class: "ts-doubtful", "data-testid": "status" });
  const late = html("p", { class: "ts-quiet", "data-testid": "late" });
  const element = html("header", { class: "ts-headline" }, sentence, certificate, status, late);
  return {
    element,
    update({ answer, stale, state }) {
      setText(sentence, answer.headline);
      setText(certificate, answer.certificate);
      certificate.hidden = answer.certificate === "";
      setText(status, answer.status);
      status.hidden = answer.status === "";
      element.classList.toggle("ts-is-found", answer.found);
      element.classList.toggle("ts-is-stale", stale);
      const towards = state.target ? ` towards ${state.target}` : "";
      const wanted = `row ${count(state.row)}${towards}`;
      setText(
        late,
        message.live ? `This is not ${wanted}, which is not there yet.` : `This page has not ${wanted}.`,
      );
      late.hidden = !stale;
    },
  };
}
