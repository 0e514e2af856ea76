/** In which share of the sufficient sets each feature is. */

import { html } from "../../../marks/element";
import type { Answer } from "../../../wire/rules/rules";
import type { Context, Part } from "./context";
import { shareWords } from "./words";

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
      list.replaceChildren(
        ...answer.importance.map(({ name, share }) => {
          const bar = html("span", { class: "ts-bar" });
          bar.style.width = `${(100 * share).toFixed(1)}%`;
          return html(
            "li",
            {},
            html("span", { class: "ts-bar-name", title: name }, name),
            html("span", { class: "ts-bar-track", "aria-hidden": "true" }, bar),
            html("span", { class: "ts-number" }, shareWords(share)),
          );
        }),
      );
    },
  };
}
