/** Which rows are pooled beside those selected: that they are others, a way to pool these, and how far that is. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { PooledMessage } from "../../../wire/messages";
import { rowsOf } from "../../shared/words";
import type { Context, Part } from "./context";

/** "Compute for the 12 rows selected", "Compute for 200 of the 3,120 rows selected". */
export function offerWords({ max_rows, n_errors }: PooledMessage, nSelected: number): string {
  const n = nSelected || n_errors;
  const some = n > max_rows ? `${count(max_rows)} of ` : "";
  return `Compute for ${some}the ${rowsOf(n)} ${nSelected > 0 ? "selected" : "misclassified"}`;
}

/** The rows pooled in words: those selected as such. */
export function pooledWords(message: PooledMessage, nSelected: number): string {
  if (nSelected === 0) return message.rows;
  const drawn = message.n_chosen < message.n_given ? `${count(message.n_chosen)} drawn from ` : "";
  return `${drawn}the ${rowsOf(nSelected)} selected`;
}

export function createChoice({ data, compute, stop, signal }: Context): Part {
  const { message } = data;
  const words = html("span", { role: "status", "data-testid": "choice" });
  const button = createButton({ "data-testid": "pool" }, [], signal, () => (busy ? stop() : compute()));
  const element = html("div", { class: "ts-pool-choice" }, words, button);
  let busy = false;
  return {
    element,
    update({ state, progress, ofSelected }) {
      const n = state.selection.length;
      busy = (progress?.doing ?? "") !== "";
      const error = progress?.error ?? "";
      const others = n > 0 && !ofSelected;
      const none = n === 0 && message.given !== "errors" && message.n_errors > 0;
      const wanted = others || none;
      element.hidden = !(wanted || busy || error);
      element.classList.toggle("ts-failed", error !== "");
      button.hidden = !(busy || (message.live && wanted));
      const offer = offerWords(message, n);
      setText(button, busy ? "Cancel" : offer);
      if (busy && progress) {
        const soFar = progress.n_model_rows > 0 ? `: ${count(progress.n_model_rows)} model rows` : "";
        setText(words, `${progress.doing}${soFar}…`);
      } else if (error) setText(words, error);
      else if (others) {
        const why = message.live ? "" : ` ${message.offline}`;
        setText(words, `Pooled are ${message.rows}, not the ${rowsOf(n)} selected.${why}`);
      } else setText(words, "No row is selected.");
    },
  };
}
