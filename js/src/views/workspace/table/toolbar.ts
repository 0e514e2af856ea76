/** What is looked for: a search, a filter and an order; and what is found, to be selected as a whole. */

import { createButton, switchOff } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { RowFilter } from "../../../wire/workspace/table";
import { columnsShown } from "./cells";
import type { Context, Part } from "./context";
import { FILTER_WORDS, foundWords, rowsOf, selectedWords } from "./words";

export function createToolbar({ data, intend, chooseAll, signal }: Context): Part {
  const { message } = data;
  const search = html("input", {
    type: "search",
    class: "ts-search",
    placeholder: "text, number or #row",
    "aria-label": "Search rows: text, a number, or # and a row's number",
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "search",
  });
  const filter = html(
    "select",
    { "aria-label": "Rows listed", "data-testid": "filter" },
    ...message.filters.map((name) => html("option", { value: name }, FILTER_WORDS[name])),
  );
  const inside = html("option", { value: "inside" }, FILTER_WORDS.inside);
  const all = columnsShown(message);
  const options = all.map(({ name, label, role }) => {
    const words = role === "after" ? message.after_name : label;
    return html("option", { value: name }, `by ${words}`);
  });
  const sort = html("select", { "aria-label": "Order", "data-testid": "sort" }, ...options);
  const button = (testid: string, words: string, press: (event: Event) => void) =>
    createButton({ "data-testid": testid }, words, press, signal);
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
  listen(search, "input", (event) => intend({ search: search.value }, event), signal);
  listen(filter, "change", (event) => intend({ filter: filter.value as RowFilter }, event), signal);
  listen(sort, "change", (event) => intend({ sort: sort.value }, event), signal);

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
