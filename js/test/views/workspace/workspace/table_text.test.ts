// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { createDataTable } from "../../../../src/marks/data_table";
import { html } from "../../../../src/marks/element";
import { panelTable } from "../../../../src/views/workspace/workspace/shown";

const { signal } = new AbortController();
const content = () => ({ caption: "Rows", columns: ["row", "value"], rows: [["0", "1.5"]] });

test("a table behind a line to open is taken; one that is hidden is not asked for what it has not", () => {
  const hidden = vi.fn(() => {
    throw new Error("nothing is known");
  });
  const [closed, gone] = [content, hidden].map((one) => createDataTable("As a table", signal, one).element);
  const panel = html("div", {}, closed as HTMLElement, gone as HTMLElement);
  (gone as HTMLElement).hidden = true;
  expect(panelTable(panel)).toBe("Rows\nrow\tvalue\n0\t1.5");
  expect(hidden).not.toHaveBeenCalled();
  expect(panel.querySelector("details[open]")).toBeNull();
});

test("parts of a cell are words of their own", () => {
  const cell = html("td", {}, html("b", {}, "17.3"), html("div", {}, "+1.58"));
  const table = html("table", {}, html("tr", {}, html("th", {}, "row 5"), cell, html("td", {}, " 4 ", "")));
  expect(panelTable(html("div", {}, table))).toBe("row 5\t17.3 +1.58\t4");
});
