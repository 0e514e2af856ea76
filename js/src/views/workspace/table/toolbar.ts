/** What is looked for: a search, a filter and an order; and what is found, to be selected as a whole. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { createOption, createPicker } from "../../../marks/picker";
import { createSearchBox } from "../../../marks/search_box";
import { count } from "../../../theme/formats";
import type { RowFilter } from "../../../wire/workspace/table";
import { rowsOf } from "../../shared/words";
import { columnsShown } from "./cells";
import type { Context, Part } from "./context";
import { FILTER_WORDS, foundWords, selectedWords } from "./words";

export function createToolbar({ data, intend, chooseAll, signal }: Context): Part {
  const { message } = data;
  const search = createSearchBox(
    "Search rows: text, a number, or # and a row's number",
    "text, number or #row",
    signal,
    (query, event) => intend({ search: query }, event),
  );
  const filter = createPicker<RowFilter>(
    { "aria-label": "Rows listed", "data-testid": "filter" },
    message.filters.map((name) => [name, FILTER_WORDS[name]] as const),
    signal,
    (name, event) => intend({ filter: name }, event),
  );
  const inside = createOption("inside", FILTER_WORDS.inside);
  const sort = createPicker(
    { "aria-label": "Order", "data-testid": "sort" },
    columnsShown(message).map(({ name, label, role }) => {
      const words = role === "after" ? message.after_name : label;
      return [name, `by ${words}`] as const;
    }),
    signal,
    (name, event) => intend({ sort: name }, event),
  );
  const button = (testid: string, words: string, press: (event: Event) => void) =>
    createButton({ "data-testid": testid }, words, signal, press);
  const way = button("descending", "", (event) => intend({ descending: !descending }, event));
  const choose = button("select-found", "", chooseAll);
  const clear = button("clear", "Clear", (event) => intend({ selection: [] }, event));
  const displays = (["table", "scatter"] as const).map((name) => {
    const words = name === "table" ? "Table" : "Scatter";
    return { name, made: button(`display-${name}`, words, (event) => intend({ display: name }, event)) };
  });
  const display = html(
    "div",
    { class: "ts-display", role: "group", "aria-label": "Rows shown as" },
    ...displays.map(({ made }) => made),
  );
  const sentence = (testid: string) => html("p", { "data-testid": testid }, html("b"), html("span"));
  const [found, chosen] = [sentence("found"), sentence("selected")];

  let descending = false;

  const say = (line: HTMLElement, words: { readonly strong: string; readonly rest: string }) => {
    setText(line.children[0] as Element, words.strong);
    setText(line.children[1] as Element, words.rest);
  };
  return {
    element: html(
      "div",
      { class: "ts-table-tools" },
      html("div", { class: "ts-look-for" }, search, filter, sort, way, display),
      html("div", { class: "ts-told" }, found, choose),
      html("div", { class: "ts-told" }, chosen, clear),
    ),
    update(view) {
      const { state, listing, stale, stress } = view;
      if (search.value !== state.search) search.value = state.search;
      if (view.inside && !inside.parentNode) filter.append(inside);
      else if (!view.inside) inside.remove();
      filter.value = state.filter;
      filter.title = view.inside ? `The rule: ${view.inside.words}` : "";
      sort.value = state.sort;
      sort.hidden = way.hidden = state.display === "scatter";
      for (const { name, made } of displays)
        made.setAttribute("aria-pressed", String(state.display === name));
      descending = state.descending;
      setText(way, descending ? "▾" : "▴");
      way.title = descending ? "Largest first" : "Smallest first";
      way.setAttribute("aria-label", descending ? "Order: largest first" : "Order: smallest first");
      say(found, foundWords(view, message));
      say(chosen, selectedWords(view));
      for (const line of [found, chosen]) line.classList.toggle("ts-is-stale", stale || stress.late);
      const n = listing?.n ?? 0;
      setText(choose, n === 1 ? "Select this row" : `Select these ${count(n)}`);
      switchOff(choose, n === 0 || stale || (!data.columns && !message.live));
      clear.hidden = state.selection.length === 0;
      clear.title = `Clear the ${rowsOf(state.selection.length)} selected`;
    },
  };
}
