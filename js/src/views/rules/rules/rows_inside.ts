/** The study's rows inside the rule as shown, those decided otherwise first; chosen ones are the selection of linked views. */

import { createButton, switchOff } from "../../../marks/button";
import { html, listen, setText, showText } from "../../../marks/element";
import { rowAt, rowHead, tableHead, tableHolder } from "../../../marks/table";
import { rowsInside } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { Listed, Rule } from "../../../wire/rules/rules";
import { entryWords, scoreWords } from "../../shared/entries";
import { inNextFrame } from "../../shared/part";
import { rowsOf } from "../../shared/words";
import type { Context, Part, Shown, View } from "./context";
import { shareWords } from "./words";

/** Rows drawn at first, and more with each press. */
export const WINDOW = 50;

/** Places in the buffers of the rows inside: those decided otherwise first, each kind in the study's order. */
export function listInside({ rule, sides }: Shown, { places }: Listed): number[] {
  const inside = rowsInside(rule.rows, sides);
  const { agrees } = rule.rows;
  const at: number[] = [];
  for (let k = 0; k < inside.length; k++) if (inside[k]) at.push(k);
  return at.sort(
    (a, b) => (agrees[a] as number) - (agrees[b] as number) || (places[a] as number) - (places[b] as number),
  );
}

/** "33 of 160 rows lie inside (20.6 %), 2 of them decided otherwise." */
export function insideWords(listed: Listed, n: number, nOtherwise: number): string {
  const all = listed.places.length;
  const sample = all < listed.n_study ? ` drawn from the study's ${count(listed.n_study)}` : "";
  const share = all > 0 ? ` (${shareWords(n / all)})` : "";
  const lie = n === 1 ? "lies" : "lie";
  const start = `${count(n)} of ${rowsOf(all)}${sample} ${lie} inside${share}`;
  return n === 0
    ? `${start}.`
    : `${start}, ${nOtherwise === 0 ? "none" : count(nOtherwise)} of them decided otherwise.`;
}

/** Whether two lists of places are alike. */
function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((one, k) => one === b[k]);
}

export function createRowsInside({ message, intend, signal }: Context): Part {
  const words = html("p", { "data-testid": "inside" });
  const button = (testid: string, words: string, press: (event: Event) => void) =>
    createButton({ "data-testid": testid }, words, signal, press);
  const select = button("select-inside", "", (event) => {
    const places = view?.listed.places;
    if (places) intend({ selection: inside.map((at) => places[at] as number).sort((a, b) => a - b) }, event);
  });
  const clear = button("clear", "Clear", (event) => intend({ selection: [] }, event));
  const chosen = html("span", { class: "ts-quiet", role: "status", "data-testid": "selected" });
  const more = button("more-rows", "", () => {
    most += WINDOW;
    if (view) draw(view);
  });
  const body = html("tbody", { "data-testid": "rows-inside" });
  const table = html("table", { class: "ts-inside-table" }, body);
  const holder = tableHolder("Rows inside", table);
  const element = html(
    "section",
    { class: "ts-rows-inside", "aria-label": "Rows inside" },
    html("h3", {}, "Rows inside"),
    words,
    html("div", { class: "ts-row-line" }, select, clear, chosen),
    holder,
    more,
  );

  let view: View | null = null;
  let inside: readonly number[] = [];
  let drawn: { rule: Rule; inside: readonly number[]; most: number } | null = null;
  let most = WINDOW;

  const selectionWith = (row: number): number[] => {
    const now = new Set(view?.state.selection);
    if (!now.delete(row)) now.add(row);
    return [...now].sort((a, b) => a - b);
  };
  listen(body, "click", signal, (event) => {
    const row = rowAt(event);
    if (!Number.isInteger(row)) return;
    if ((event.target as Element).closest("[data-testid='inspect']"))
      intend({ row, rule: 0, moved: null }, event);
    else intend({ selection: selectionWith(row) }, event);
  });

  const columnsOf = ({ columns }: Listed, rule: Rule) =>
    rule.axes.map(({ name }) => columns.findIndex((column) => column.name === name));

  const headOf = (listed: Listed, rule: Rule) => {
    const names = rule.axes.map(({ name }) => name);
    const heads = [
      "row",
      "decided",
      ...(listed.scores ? [listed.score] : []),
      ...names,
      ...(message.live ? [""] : []),
    ];
    return tableHead(...heads);
  };

  const drawLine = (listed: Listed, rule: Rule, at: number, own: number) => {
    const row = listed.places[at] as number;
    const decided = listed.decided[at] as number;
    const answer = listed.classes.length > 0 ? (listed.classes[decided] ?? "") : entryWords(null, decided);
    const otherwise = !rule.rows.agrees[at];
    const toggle = createButton(
      { class: "ts-cell", "data-testid": "brush", "aria-label": `Select row ${row}` },
      count(row),
    );
    const inspect = createButton(
      {
        class: "ts-cell",
        "data-testid": "inspect",
        "aria-label": `Inspect row ${row}`,
        disabled: row === own,
      },
      row === own ? "shown" : "inspect",
    );
    const cells = columnsOf(listed, rule).map((k) =>
      html(
        "td",
        {},
        k < 0 ? "" : entryWords(listed.columns[k] ?? null, listed.entries[k]?.[at] ?? Number.NaN),
      ),
    );
    const score = listed.scores
      ? [html("td", {}, scoreWords(listed.probability, listed.scores[at] as number))]
      : [];
    return html(
      "tr",
      { "data-row": row, class: otherwise ? "ts-is-otherwise" : "" },
      rowHead(toggle),
      html("td", {}, otherwise ? `${answer} (otherwise)` : answer),
      ...score,
      ...cells,
      ...(message.live ? [html("td", {}, inspect)] : []),
    );
  };

  const mark = (selection: ReadonlySet<number>) => {
    for (const line of body.children) {
      const is = selection.has(Number((line as HTMLElement).dataset.row));
      line.classList.toggle("ts-is-chosen", is);
      line.querySelector("[data-testid='brush']")?.setAttribute("aria-pressed", String(is));
    }
  };

  function draw({ shown, answer, listed, state, stale }: View): void {
    element.hidden = shown === null;
    element.classList.toggle("ts-is-stale", stale);
    if (!shown) return;
    const { rule } = shown;
    const next = listInside(shown, listed);
    if (drawn && !(drawn.rule === rule && sameList(next, drawn.inside))) most = WINDOW;
    inside = next;
    if (!(drawn?.rule === rule && drawn.most === most && sameList(next, drawn.inside))) {
      if (drawn?.rule !== rule) table.replaceChildren(headOf(listed, rule), body);
      drawn = { rule, inside, most };
      body.replaceChildren(...inside.slice(0, most).map((at) => drawLine(listed, rule, at, answer.row)));
    }
    const otherwise = inside.reduce((sum, at) => sum + (rule.rows.agrees[at] ? 0 : 1), 0);
    setText(words, insideWords(listed, inside.length, otherwise));
    setText(
      select,
      inside.length === 1 ? "Select the row inside" : `Select the ${rowsOf(inside.length)} inside`,
    );
    switchOff(select, inside.length === 0);
    const selection = new Set(state.selection);
    setText(chosen, selection.size > 0 ? `${rowsOf(selection.size)} selected` : "none selected");
    switchOff(clear, selection.size === 0);
    holder.hidden = inside.length === 0;
    const left = inside.length - most;
    showText(more, left > 0 ? `List ${count(Math.min(left, WINDOW))} more of ${count(inside.length)}` : "");
    mark(selection);
  }
  const drawing = inNextFrame({ element, update: draw }, signal);
  return {
    element,
    update(next, before) {
      view = next;
      drawing.update(next, before);
    },
  };
}
