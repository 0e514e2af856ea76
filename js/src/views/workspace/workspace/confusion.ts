/** The confusion matrix: shares of all weight, as tested and under the stress; each cell selects its rows. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { rowHead, tableHead, tableHolder } from "../../../marks/table";
import { quantityFormat } from "../../../theme/formats";
import type { ConfusionMessage } from "../../../wire/messages";
import { isStressed } from "../../../wire/shared_stress";

import { markNumber, RELIABLE } from "../../shared/reliability";
import { intervalWords, rowsOf } from "../../shared/words";
import type { Context, View } from "../../stress/joint/context";
import { EVENTS, type Places } from "./confusion_places";

const share = quantityFormat("share", 0.3);
const HINT = "A cell selects its rows, in every view.";

export interface Confusion {
  readonly element: HTMLElement;
  update(context: Context, view: View): void;
}

/** Whether each place of the matrix holds what is predicted as it is. */
function isRight({ rows_are, columns }: ConfusionMessage, place: number): boolean {
  const [row, column] = [Math.floor(place / columns.length), place % columns.length];
  return rows_are === "truth" ? row === column : row === 0;
}

function placeWords({ rows_are, rows, columns }: ConfusionMessage, place: number): string {
  const [row, predicted] = [rows[Math.floor(place / columns.length)], columns[place % columns.length]];
  return rows_are === "truth" ? `${row}, predicted ${predicted}` : `predicted ${predicted}, ${row}`;
}

export function createConfusion(message: ConfusionMessage, places: Places, signal: AbortSignal): Confusion {
  const { rows, columns, rows_are } = message;
  const hint = html("p", { class: "ts-quiet" }, places.refused || HINT);
  const cells = places.counts.map((n, place) => {
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const button = createButton(
      {
        class: "ts-confusion-cell",
        "data-testid": `confusion-${place}`,
        disabled: n === 0 || places.refused !== "",
        title: `Select ${n === 1 ? "the row" : `these ${rowsOf(n)}`}: ${placeWords(message, place)}`,
      },
      [before, value, interval],
      () => choose(),
      signal,
    );
    const choose = () => places.select(place).catch((error: Error) => setText(hint, error.message));
    const element = html("td", { class: isRight(message, place) ? "" : "ts-is-wrong" }, button);
    return { element, before, value, interval, button };
  });
  const lines = rows.map((name, row) =>
    html(
      "tr",
      {},
      rowHead(rows_are === "truth" ? `is ${name}` : name),
      ...cells.slice(row * columns.length, (row + 1) * columns.length),
    ),
  );
  const table = html(
    "table",
    { class: "ts-confusion" },
    tableHead(html("td"), ...columns.map((name) => `predicted ${name}`)),
    html("tbody", {}, ...lines),
  );
  const title = html("h3");
  const holder = tableHolder("Confusion matrix", table);
  return {
    element: html("section", { class: "ts-confusion-part", "data-testid": "confusion" }, title, holder, hint),
    update({ data }, { state, answer }) {
      const stressed = isStressed(state.stress);
      setText(title, `Right and wrong, share of all rows${stressed ? ": as tested → now" : ", as tested"}`);
      const none = answer.reason !== "" && !answer.stale;
      table.classList.toggle("ts-is-stale", answer.stale);
      cells.forEach((cell, place) => {
        const found = places.now(answer, place);
        setText(cell.before, stressed ? `${share.value(places.before(answer, place))} → ` : "");
        const empty = places.counts[place] === 0;
        setText(cell.value, none ? "none" : empty ? "0 %" : share.value(found?.value ?? Number.NaN));
        setText(
          cell.interval,
          none || empty || !found ? "" : intervalWords(share.bare(found.lower), share.bare(found.upper)),
        );
        markNumber(
          cell.element,
          data.message.reliability,
          EVENTS,
          none || empty || !found ? RELIABLE : found,
        );
      });
    },
  };
}
