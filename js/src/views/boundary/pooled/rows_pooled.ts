/** The rows pooled, those first whose direction is least like the pooled one; a click chooses one for linked views. */

import { createButton } from "../../../marks/button";
import { createDetails } from "../../../marks/details";
import { html, listen, setText, showText } from "../../../marks/element";
import { markShown, rowAt, rowHead, tableHead, tableHolder } from "../../../marks/table";
import { cosines } from "../../../solve/boundary/pooled";
import { count, quantityFormat } from "../../../theme/formats";
import type { PooledRows } from "../../../wire/boundary/pooled";
import { inNextFrame } from "../../shared/part";
import { rowsOf } from "../../shared/words";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";

/** Rows drawn at first, and more with each press. */
export const WINDOW = 50;

const cosine = quantityFormat("value", 1, 2).bare;
const three = quantityFormat("value", 1, 3).bare;

/** Places of the rows, least alike first. */
export function leastAlike(alike: Float64Array): number[] {
  return [...alike.keys()].sort((a, b) => (alike[a] as number) - (alike[b] as number) || a - b);
}

/** @returns null where the rows did not come along */
export function createRowsPooled({ data, intend, signal }: Context): Part | null {
  const { message, before } = data;
  if (!data.rows) return null;
  const rows: PooledRows = data.rows;
  const order = leastAlike(cosines(rows, before.direction.value));
  const distance = message.distance === "" ? "distance" : `distance, ${message.distance}`;
  const heads = ["row", "predicted", distance, "cosine with the pooled direction"];
  const body = html("tbody", { "data-testid": "rows-pooled" });
  const table = html(
    "table",
    { class: "ts-rows-pooled" },
    html("caption", {}, "The rows pooled, least like the pooled direction first"),
    tableHead(...heads),
    body,
  );
  const holder = tableHolder("Rows pooled", table);
  const more = createButton({ "data-testid": "more-rows" }, [], signal, () => {
    most += WINDOW;
    drawNow();
  });
  const details = createDetails(`The ${rowsOf(order.length)} pooled`, holder, more);
  details.dataset.testid = "pooled-rows";

  const drawLine = (at: number) => {
    const row = rows.places[at] as number;
    const label = message.labels[rows.decisions[at] as number] ?? "";
    const name = `Choose row ${row}, predicted ${label}`;
    const choose = createButton({ class: undefined, "aria-label": name }, count(row));
    return html(
      "tr",
      { "data-row": row },
      rowHead(choose),
      html("td", {}, label),
      html("td", {}, three(rows.distances[at] as number)),
      html("td"),
    );
  };
  listen(body, "click", signal, (event) => {
    const row = rowAt(event);
    if (Number.isInteger(row)) intend({ row }, event);
  });

  let latest: DerivedView | null = null;
  let most = WINDOW;
  const draw = (view: DerivedView) => {
    if (!details.open) return;
    const shown = order.slice(0, most);
    for (const at of shown.slice(body.children.length)) body.append(drawLine(at));
    const alike = cosines(rows, (view.now ?? before).direction.value);
    shown.forEach((at, k) => {
      const line = body.children[k] as HTMLElement;
      setText(line.lastElementChild as HTMLElement, cosine(alike[at] as number));
      markShown(line, rows.places[at] === view.state.row);
    });
    holder.classList.toggle("ts-is-stale", view.stale);
    const left = order.length - most;
    showText(more, left > 0 ? `List ${count(Math.min(left, WINDOW))} more of ${count(order.length)}` : "");
  };
  const drawNow = () => {
    if (latest) draw(latest);
  };
  listen(details, "toggle", signal, drawNow);
  const drawing = inNextFrame({ element: details, update: draw }, signal);
  return {
    element: details,
    update(next, earlier) {
      latest = next;
      drawing.update(next, earlier);
    },
  };
}
