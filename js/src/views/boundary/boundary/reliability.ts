/** How far the explanation can be relied on, in words; the figures behind them, and what has to be known. */

import { createDetails } from "../../../marks/details";
import { html, setText } from "../../../marks/element";
import { rowHead, tableHead } from "../../../marks/table";
import type { Answer } from "../../../wire/boundary/boundary";
import { LEVELS, type Level } from "../../../wire/reasons";
import { markLevel } from "../../shared/reliability";
import type { Context, Part } from "./context";

export function createReliability(_: Context): Part {
  const level = html("b");
  const reasons = html("ul", { class: "ts-reasons" });
  const verdict = html("div", { "data-testid": "reliability" }, html("p", {}, level), reasons);
  const notes = html("ul", { class: "ts-notes ts-quiet" });
  const figures = html("tbody");
  const head = tableHead("figure", "value", "what it is");
  const table = html("table", { class: "ts-figures" }, head, figures);
  const details = createDetails("details", table);
  details.dataset.testid = "details";
  const element = html(
    "section",
    { class: "ts-trust", "aria-label": "How far can the explanation be relied on?" },
    verdict,
    notes,
    details,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.classList.toggle("ts-is-stale", stale);
      if (drawn === answer) return;
      drawn = answer;
      const { reliability } = answer;
      setText(level, reliability.words);
      markLevel(verdict, LEVELS.indexOf(reliability.level) as Level);
      reasons.replaceChildren(...reliability.reasons.map((reason) => html("li", {}, reason)));
      reasons.hidden = reliability.reasons.length === 0;
      verdict.hidden = reliability.words === "";
      notes.replaceChildren(...answer.notes.map((note) => html("li", {}, note)));
      notes.hidden = answer.notes.length === 0;
      figures.replaceChildren(
        ...answer.diagnostics.map(({ label, value, words: gloss }) =>
          html(
            "tr",
            {},
            rowHead(label),
            html("td", {}, value),
            html("td", { class: "ts-quiet ts-gloss" }, gloss),
          ),
        ),
      );
      details.hidden = answer.diagnostics.length === 0;
    },
  };
}
