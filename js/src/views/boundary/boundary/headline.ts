/** What was found, before anything else: the sentence, how its lower bound was found, and what was tried in vain. */

import { html, setText, showText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { BoundaryMessage } from "../../../wire/boundary/boundary";
import { createLate, lateWords, rowWords } from "../../shared/late";
import type { Context, Part, View } from "./context";

function lateWordsOf(message: BoundaryMessage, { row, target }: View["state"], progress: View["progress"]) {
  const wanted = `${rowWords(row)}${target ? ` towards ${target}` : ""}`;
  const far = `, ${count(progress?.n_model_rows ?? 0)} model rows so far`;
  return lateWords(message, wanted, progress, "There is no boundary", far);
}

export function createHeadline({ message }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const certificate = html("p", { class: "ts-quiet", "data-testid": "certificate" });
  const status = html("p", { class: "ts-notice", "data-testid": "status" });
  const late = createLate();
  const element = html("header", { class: "ts-headline" }, sentence, certificate, status, ...late.elements);
  return {
    element,
    update({ answer, stale, state, progress }) {
      setText(sentence, answer.headline);
      showText(certificate, answer.certificate);
      showText(status, answer.status);
      element.classList.toggle("ts-is-found", answer.found);
      element.classList.toggle("ts-is-stale", stale);
      const words = stale ? lateWordsOf(message, state, progress) : "";
      late.update(words, answer.row, (progress?.error ?? "") !== "");
    },
  };
}
