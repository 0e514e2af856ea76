/** What was found, before anything else: the sentence, how its lower bound was found, and what was tried in vain. */

import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { BoundaryMessage } from "../../../wire/boundary/boundary";
import type { Context, Part, View } from "./context";

/** Why what is shown is not what was chosen: it is on its way, it failed, or it cannot be had. */
function lateWords(
  { live, offline }: BoundaryMessage,
  { row, target }: View["state"],
  progress: View["progress"],
): string {
  const wanted = `${row < 0 ? "the values given" : `row ${count(row)}`}${target ? ` towards ${target}` : ""}`;
  if (progress?.error) return `There is no boundary for ${wanted}: ${progress.error}`;
  if (progress?.doing) return `${progress.doing}, ${count(progress.n_model_rows)} model rows so far…`;
  return live ? `The kernel is asked for ${wanted}…` : `Not ${wanted}. ${offline}`;
}

export function createHeadline({ message }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const certificate = html("p", { class: "ts-quiet", "data-testid": "certificate" });
  const status = html("p", { class: "ts-notice", "data-testid": "status" });
  const late = html("p", { role: "status", "data-testid": "late" });
  const grey = html("p", { class: "ts-quiet", "data-testid": "grey" });
  const element = html("header", { class: "ts-headline" }, sentence, certificate, status, late, grey);
  return {
    element,
    update({ answer, stale, state, progress }) {
      setText(sentence, answer.headline);
      setText(certificate, answer.certificate);
      certificate.hidden = answer.certificate === "";
      setText(status, answer.status);
      status.hidden = answer.status === "";
      element.classList.toggle("ts-is-found", answer.found);
      element.classList.toggle("ts-is-stale", stale);
      setText(late, stale ? lateWords(message, state, progress) : "");
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
