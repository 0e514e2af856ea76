/** How far the effect can be relied on, in words: the breakdown, what the stress did, what must be known. */

import { html, setText, showText } from "../../../marks/element";
import { levelOf } from "../../../wire/reasons";
import { judgeWeights, markLevel, reliabilityWords } from "../../shared/reliability";
import type { Context, Part } from "./context";
import { differenceFormat } from "./reading";
import { breakdownWords, movedWords } from "./words";

export function createReliability({ message }: Context): Part {
  const strong = html("b");
  const rest = html("span");
  const direction = html("p", { "data-testid": "breakdown" }, strong, rest);
  const moved = html("p", { class: "ts-moved-words", "data-testid": "moved" });
  const why = html("b");
  const causes = html("span");
  const doubt = html("p", { "data-testid": "doubt" }, why, causes);
  const notes = html("ul", { class: "ts-notes ts-quiet" });
  const element = html("div", { class: "ts-trust-words" }, direction, moved, doubt, notes);
  let noted: unknown = null;
  return {
    element,
    update({ shown }) {
      const { part, output } = shown;
      const words = breakdownWords(part, part.breakdowns[output] ?? null);
      setText(strong, words.strong);
      setText(rest, words.rest);
      direction.hidden = words.strong === "";
      const unbounded = shown.unbounded && `There is no band to show: ${shown.unbounded}.`;
      showText(moved, movedWords(shown, differenceFormat(message, shown)) || unbounded);
      moved.classList.toggle("ts-is-stale", shown.stale);
      const { df, paretoK, carriers } = shown.population;
      const judged = judgeWeights(message.reliability, df, paretoK, carriers);
      const level = levelOf(message.reliability, judged.reason);
      const doubtful = shown.moved !== null && level > 0;
      const said = reliabilityWords(message.reliability, [], judged, true, message.n_rows);
      markLevel(doubt, level);
      setText(why, doubtful ? said.strong : "");
      setText(causes, doubtful ? said.rest : "");
      doubt.hidden = !doubtful;
      if (noted === part) return;
      noted = part;
      notes.replaceChildren(...part.notes.map((note) => html("li", {}, note)));
      notes.hidden = part.notes.length === 0;
    },
  };
}
