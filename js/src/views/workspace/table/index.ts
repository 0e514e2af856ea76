/**
 * The widget of the study's rows: searched, sorted and filtered in the page where they came along, else by the kernel,
 * which also weighs them under the stress that views share.
 */

import "./style.css";
import { createButton, switchOff } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { createOption, createPicker } from "../../../marks/picker";
import { createSearchBox } from "../../../marks/search_box";
import { count } from "../../../theme/formats";
import type { RowTableViewTraits } from "../../../wire/messages";
import { sameStress, stressTrait, UNSTRESSED } from "../../../wire/shared_stress";
import {
  ANSWERS,
  DATA,
  decodeInside,
  decodeListed,
  decodeSampled,
  decodeTable,
  decodeWeighed,
  type RowFilter,
  type Weighed,
} from "../../../wire/workspace/table";
import { createAnnouncer } from "../../shared/announcer";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived, grouped } from "../../shared/part";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import { markStressed, stressSentence } from "../../shared/stress_shown";
import { createTitle } from "../../shared/title";
import { createView, type Stage } from "../../shared/view";
import { rowsOf } from "../../shared/words";
import { columnsShown } from "./cells";
import type { Context, Part } from "./context";
import { createViewDeriver, type DerivedView } from "./derive_view";
import { createGrid } from "./grid";
import { listedText, offerListed } from "./listed_text";
import { createScatter } from "./scatter";
import { CHOICES, changed, type State, stateFromTraits } from "./state";
import { FILTER_WORDS, foundWords, selectedWords, spokenWords } from "./words";

/** What is looked for: a search, a filter and an order; and what is found, to be selected as a whole. */
function createToolbar({ data, intend, chooseAll, signal }: Context): Part {
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

const WORDS = {
  doing: "weighs the rows",
  first: "weighs the rows under the stress",
  instead: "The weights are those of the data as they are.",
};

/** Which population the rows are weighed in: in words, and in how far it was moved. */
function createPopulation({ data, intend, signal }: Context): Part {
  const { n_rows, weighted, ess, pareto_k } = data.message;
  const header = createPopulationHeader(n_rows, signal, (event) => intend({ stress: UNSTRESSED }, event));
  const asTested = { ess, kl: 0, tv: 0, pareto_k };
  return {
    element: header.element,
    update({ stress }) {
      const { now, late, problem } = stress;
      markStressed(header, now !== null, late, problem);
      header.stats.hidden = problem !== "";
      header.tail.hidden = now === null && !weighted;
      header.reset.hidden = now === null && !late && problem === "";
      header.say(stressSentence(stress, n_rows, WORDS));
      header.measure(now ?? asTested, now || late || problem ? null : linkedHint(data.message.live));
      header.judge(now?.doubt ?? NO_CAVEAT);
    },
  };
}

const KEYS =
  "Click a row, or walk with the arrow keys, to look at it in linked views. Select more with Ctrl or Shift and a click, " +
  "with the space bar, or Shift and the arrow keys.";

/** The parts of the panel in their places, updated together. */
function createPanel(context: Context): Part {
  const { message } = context.data;
  const [grid, scatter] = [createGrid(context), createScatter(context)];
  const keys = html("p", { class: "ts-quiet ts-gloss" }, KEYS);
  const { element, update } = grouped<DerivedView>(
    "div",
    { class: "ts-table-panel" },
    createTitle(message.title, message.model),
    createPopulation(context),
    createToolbar(context),
    grid,
    keys,
    scatter,
    ...message.notes.map((note) => html("p", { class: "ts-quiet ts-gloss" }, note)),
    createAnnouncer(context.signal, (view: DerivedView) =>
      [scatter.spoken(), spokenWords(view, message)].filter(Boolean).join(". "),
    ),
  );
  return {
    element,
    update(view, before) {
      const isScatter = view.state.display === "scatter";
      grid.element.hidden = keys.hidden = isScatter;
      scatter.element.hidden = !isScatter;
      update(view, before);
    },
  };
}

const PLAIN = ["row", "search", "filter", "sort", "descending", "start", "display", "x", "y"] as const;

/** Where weights under the stress come from besides the kernel. */
export interface WeightSource {
  /** Whether an answer to every stress comes from here. */
  solves(): boolean;
  /** What is known now, of whatever stress; null where there is nothing. */
  weighed(): Weighed | null;
  onChange(call: () => void, signal: AbortSignal): void;
}

function mount(stage: Stage<RowTableViewTraits>, source: WeightSource | undefined): void {
  const { traits, signal } = stage;
  const data = decodeTable(traits.pick(DATA));
  // the page's own weights are there first, and without a kernel
  const weighed = () => {
    const here = data.columns ? source?.weighed() : null;
    if (here && sameStress(here.stress, stressTrait(traits.get("stress")))) return here;
    return decodeWeighed(data.message, traits.pick(ANSWERS));
  };
  const read = () => ({
    weighed: weighed(),
    listed: data.columns ? null : decodeListed(data.message, traits.pick(ANSWERS)),
    inside: decodeInside(traits.pick(ANSWERS)),
    sampled: data.columns ? null : decodeSampled(data.message, traits.pick(ANSWERS)),
  });
  let answers = read();
  const derive = createViewDeriver(
    data,
    () => answers,
    () => source?.solves() ?? false,
  );

  const open = (actions: Actions<State>) => {
    let last: DerivedView | null = null;
    const chooseAll = (event: Event) => {
      const order = last?.listing?.order;
      if (order) actions.intend({ selection: [...order].sort((a, b) => a - b) }, event);
      else traits.set("choose", traits.get("choose") + 1);
    };
    const panel = createPanel({ ...actions, data, chooseAll });
    offerListed(panel.element, () => last && listedText(last, data.message));
    return derived(panel, (state: State) => {
      last = derive(state);
      return last;
    });
  };
  const { repaint } = startLoop<RowTableViewTraits, State>(stage, {
    choices: CHOICES,
    read: () => stateFromTraits(traits.pick(CHOICES)),
    change: changed,
    write(change, state, before) {
      if (change.stress) traits.set("stress", { ...state.stress });
      if (change.selection) traits.set("selection", [...state.selection]);
      for (const name of PLAIN) if (state[name] !== before[name]) traits.set(name, state[name]);
    },
    createPanel: open,
  });

  // an answer is several traits, which come one after another within a frame
  const readAgain = stage.guard(() => {
    answers = read();
    repaint();
  });
  traits.onChange(ANSWERS, oncePerFrame(signal, readAgain));
  source?.onChange(readAgain, signal);
}

export function createTableView(source?: WeightSource) {
  return createView<RowTableViewTraits>({
    root: "ts-row-table",
    data: DATA,
    awaited: "the rows",
    shown: "These rows",
    mount: (stage) => mount(stage, source),
  });
}

export default createTableView();
