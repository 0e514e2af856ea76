/** The table of a view as text between tabs, which spreadsheets take. */

import { isStressed, type Stress } from "../../../wire/shared_stress";
import type { Numbers } from "./numbers";

function cleaned(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}

export function tabbed(rows: readonly (readonly (string | number)[])[]): string {
  const written = (cell: string | number) =>
    typeof cell === "string" ? cleaned(cell) : Number.isFinite(cell) ? String(cell) : "";
  return rows.map((row) => row.map(written).join("\t")).join("\n");
}

/** Every metric with its interval, as tested and under the stress, in full precision. */
export function metricTable(numbers: Numbers, stress: Stress): string {
  const before = numbers.asTested();
  if (!isStressed(stress)) {
    const rows = before.map(({ metric, value, lower, upper }) => [metric, value, lower, upper]);
    return tabbed([["metric", "as tested", "lower", "upper"], ...rows]);
  }
  const answer = numbers.answer(stress);
  const head = [
    "metric",
    ...["as tested", "lower", "upper"],
    ...["under the stress", "lower", "upper"],
    ...["reliability", "note", "effective rows"],
  ];
  const rows = numbers.cells(answer).map(({ metric, value, lower, upper, reliability, note }, k) => {
    const was = before[k];
    return [
      ...[metric, was?.value ?? Number.NaN, was?.lower ?? Number.NaN, was?.upper ?? Number.NaN],
      ...[value, lower, upper, reliability, note, answer.ess],
    ];
  });
  return tabbed([head, ...rows]);
}

/** The words of a cell; parts that stand side by side or below one another are no one word. */
function wordsOf(cell: Element): string {
  return cleaned(Array.from(cell.childNodes, (part) => part.textContent ?? "").join(" "));
}

/** The rows of a table or a grid, cell by cell. */
function rowsOf(table: Element): string[][] {
  const rows = [...table.querySelectorAll("tr, [role='row']")].filter((row) => !row.closest("[hidden]"));
  const cells = (row: Element) =>
    [...row.querySelectorAll("th, td, [role='columnheader'], [role='rowheader'], [role='gridcell']")].map(
      wordsOf,
    );
  return rows.map(cells).filter((row) => row.some((cell) => cell.trim() !== ""));
}

/** The tables that stand in a panel, those behind a line to open among them; "" where there is none. */
export function panelTable(panel: HTMLElement): string {
  const closed = [...panel.querySelectorAll("details")].filter(
    (one) => !one.open && !one.closest("[hidden]") && one.querySelector(".ts-table-holder"),
  );
  for (const one of closed) {
    one.open = true;
    one.dispatchEvent(new Event("toggle"));
  }
  const tables = [...panel.querySelectorAll("table, [role='grid']")].filter(
    (one) => !one.closest("[hidden]"),
  );
  const texts = tables.map((table) => {
    const caption = table.querySelector("caption")?.textContent ?? "";
    const rows = tabbed(rowsOf(table));
    return caption && rows ? `${cleaned(caption)}\n${rows}` : rows;
  });
  for (const one of closed) one.open = false;
  return texts.filter(Boolean).join("\n\n");
}
