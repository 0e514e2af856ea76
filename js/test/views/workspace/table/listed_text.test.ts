// @vitest-environment jsdom

import { expect, test } from "vitest";
import type { DerivedView } from "../../../../src/views/workspace/table/derive_view";
import widget from "../../../../src/views/workspace/table/index";
import { listedIn, listedText } from "../../../../src/views/workspace/table/listed_text";
import type { TableMessage } from "../../../../src/wire/messages";
import { tableTraits, unshippedTable } from "../../../support/table_example";
import { mountView } from "../../../support/view";

test("all rows listed are copied in their order, not those in sight alone", () => {
  const view = mountView(widget, {
    ...tableTraits("plain"),
    filter: "errors",
    sort: "age",
    descending: true,
  });
  const listed = listedIn(view.el);
  expect([listed?.n, listed?.of]).toEqual([30, 30]);
  expect(listed?.cells[0]?.slice(0, 2)).toEqual(["row", "predicted"]);
  expect(listed?.cells.slice(1, 4).map((cells) => cells[0])).toEqual(["35", "17", "58"]);
});

test("none is copied where none is here", () => {
  expect(listedIn(mountView(widget, unshippedTable()).el)?.n).toBe(0);
  expect(listedIn(document.createElement("div"))).toBeNull();
});

test("of many rows the first thousand are copied", () => {
  const message = { columns: [], weighted: false, weight_name: "w", after_name: "a" };
  const listing = { n: 16281, rowAt: (place: number) => place };
  const view = { listing, stress: { now: null } };
  const listed = listedText(view as unknown as DerivedView, message as unknown as TableMessage);
  expect([listed.n, listed.of, listed.cells.at(-1)?.[0]]).toEqual([1000, 16281, "999"]);
});
