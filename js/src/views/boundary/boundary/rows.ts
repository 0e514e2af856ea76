/** Which row is inspected: a number, the next and the one before, and a list to filter and search. */

import { createButton } from "../../../marks/button";
import { createDetails } from "../../../marks/details";
import { html, listen, setText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { createSearchBox } from "../../../marks/search_box";
import { markShown, rowAt, rowHead, tableHead, tableHolder } from "../../../marks/table";
import { count } from "../../../theme/formats";
import type { RowFilter } from "../../../wire/boundary/boundary";
import type { BoundaryListedMessage, BoundaryListedRowMessage } from "../../../wire/messages";
import { createRowStepper } from "../../shared/row_stepper";
import { rowsOf } from "../../shared/words";
import type { Context, Part, View } from "./context";
import { answerWords } from "./values";

/** Rows of a list that are drawn. */
export const WINDOW = 60;

/** Whether a text is the beginning of a row's number, or within one of its labels. */
function isMatch(row: BoundaryListedRowMessage, text: string, labels: readonly string[]): boolean {
  if (/^\d+$/.test(text)) return String(row.row).startsWith(text);
  const within = (code: number) => (labels[code] ?? "").toLowerCase().includes(text);
  return text === "" || within(row.predicted) || within(row.truth);
}

/** The rows of a filter that hold a text, as many as there is room for. */
export function listRows(
  rows: readonly BoundaryListedRowMessage[],
  labels: readonly string[],
  { filter, text }: View["state"]["query"],
): BoundaryListedMessage {
  const sought = text.trim().toLowerCase();
  const found = rows.filter(
    (row) => (filter === "all" || row.predicted !== row.truth) && isMatch(row, sought, labels),
  );
  return { filter, text, n: found.length, rows: found.slice(0, WINDOW) };
}

function createList(context: Context): Part {
  const { message, rows, intend, signal } = context;
  const { labels, labelled } = message;
  const ask = (_: string, event: Event) =>
    intend({ query: { filter: filter.value as RowFilter, text: search.value } }, event);
  const hint = `search ${rowsOf(message.n_rows)} by number or label`;
  const search = createSearchBox("Search rows", hint, signal, ask);
  const filter = createPicker(
    { "aria-label": "Rows listed", "data-testid": "filter", hidden: !labelled },
    [
      ["all", "all rows"],
      ["errors", "misclassified rows"],
    ],
    signal,
    ask,
  );

  const heads = ["row", "predicted", ...(labelled ? ["true"] : []), message.response];
  const body = html("tbody", { "data-testid": "rows" });
  const table = html("table", { class: "ts-row-table" }, tableHead(...heads), body);
  const holder = tableHolder("Rows", table);
  const size = html("p", { class: "ts-quiet", "data-testid": "n-rows" });
  listen(body, "click", signal, (event) => {
    const row = rowAt(event);
    if (Number.isInteger(row)) intend({ row, bounds: {}, edits: {} }, event);
  });

  const draw = ({ row, predicted, truth, answer }: BoundaryListedRowMessage) => {
    const number = createButton({ class: "ts-value" }, count(row));
    number.setAttribute("aria-label", `row ${row}, predicted ${labels[predicted] ?? ""}`);
    const wrong = truth >= 0 && truth !== predicted;
    const line = html("tr", { "data-row": row }, rowHead(number));
    line.append(
      html("td", {}, labels[predicted] ?? ""),
      ...(labelled ? [html("td", { class: wrong ? "ts-failed" : "" }, labels[truth] ?? "")] : []),
      html("td", {}, Number.isNaN(answer) ? "" : answerWords(message.response_kind, answer)),
    );
    return line;
  };

  let drawn = "";
  return {
    element: html(
      "div",
      { class: "ts-list" },
      html("div", { class: "ts-list-head" }, search, filter),
      holder,
      size,
    ),
    update({ state, listed }) {
      const { query, row } = state;
      const shown = rows ? listRows(rows, labels, query) : listed;
      const key = JSON.stringify([shown, query]);
      if (key !== drawn) {
        drawn = key;
        body.replaceChildren(...(shown?.rows ?? []).map(draw));
        const first =
          shown && shown.n > shown.rows.length ? `, the first ${count(shown.rows.length)} listed` : "";
        setText(size, shown ? `${rowsOf(shown.n)}${first}` : "The kernel lists the rows…");
      }
      for (const line of body.children) markShown(line, (line as HTMLElement).dataset.row === String(row));
    },
  };
}

export function createRows(context: Context): Part {
  const { message, intend, signal } = context;
  const stepper = createRowStepper(message, signal, (row, event) =>
    intend({ row, bounds: {}, edits: {} }, event),
  );
  const of = html("span", { class: "ts-quiet" });
  const line = html("div", { class: "ts-row-line" }, ...stepper.elements, of);
  const element = html("div", { class: "ts-row-choice" }, line);
  const list = createList(context);
  let opened = false;
  if (message.live) {
    const details = createDetails("find a row", list.element);
    details.dataset.testid = "find";
    element.append(details);
    listen(details, "toggle", signal, () => {
      if (!details.open || opened) return;
      opened = true;
      if (view) list.update(view, null);
      if (!context.rows && view) intend({ query: { ...view.state.query } }, null);
    });
  }
  let view: View | null = null;
  return {
    element,
    update(now, earlier) {
      view = now;
      const { row } = now.state;
      stepper.update(row);
      setText(
        of,
        row < 0 ? `values given, beside the ${rowsOf(message.n_rows)}` : `of ${count(message.n_rows)}`,
      );
      if (opened) list.update(now, earlier);
    },
  };
}
