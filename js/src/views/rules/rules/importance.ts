/** In which share of the sufficient sets each feature is. */

import { html } from "../../../marks/element";
import type { Answer } from "../../../wire/rules/rules";
import { createBarLine } from "./bar_line";
import type { Context, Part } from "./context";

export function createImportance(_: Context): Part {
  const list = html("ul", { class: "ts-bars", "data-testid": "importance" });
  const element = html(
    "section",
    { "aria-label": "Importance" },
    html("h3", {}, "Share of the sufficient sets each feature is in"),
    list,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.hidden = answer.importance.length === 0;
      element.classList.toggle("ts-is-stale", stale);
      if (drawn === answer) return;
      drawn = answer;
      list.replaceChildren(...answer.importance.map(({ name, share }) => createBarLine(name, share)));
    },
  };
}
