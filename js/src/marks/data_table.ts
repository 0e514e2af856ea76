/** The numbers behind a chart, as a table that is built when it is opened. */

import { createDetails } from "./details";
import { html, listen } from "./element";
import { rowHead, tableHead, tableHolder } from "./table";

export interface TableContent {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its heading. */
  readonly rows: readonly (readonly string[])[];
}

function drawTable({ caption, columns, rows }: TableContent): HTMLTableElement {
  const body = rows.map(([heading = "", ...cells]) => {
    const row = html("tr", {}, rowHead(heading));
    row.append(...cells.map((cell) => html("td", {}, cell)));
    return row;
  });
  const table = html("table", { class: "ts-table" }, html("caption", {}, caption));
  table.append(tableHead(...columns), html("tbody", {}, ...body));
  return table;
}

export function createDataTable(title: string, signal: AbortSignal, content: () => TableContent) {
  const holder = tableHolder(title);
  const element = createDetails(title, holder);
  /** The content has changed; redrawn now if the table is open. */
  const refresh = () => {
    if (element.open) holder.replaceChildren(drawTable(content()));
  };
  listen(element, "toggle", signal, refresh);
  return { element, refresh };
}
