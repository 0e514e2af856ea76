/** The parts of the panel in their places, updated together. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { count } from "../../../theme/formats";
import { type Order, orders, type PooledData, type Weights } from "../../../wire/boundary/pooled";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import { capitalize } from "../../shared/words";
import { createBars } from "./bars";
import { createChoice } from "./choice";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { createPopulation } from "./population";
import { createRowsPooled } from "./rows_pooled";
import { coverageWords, endsWords, ordered, readingWords, spokenWords, weightWords } from "./words";

/** All pooled weights as a table: what the bars cannot say exactly. */
function tableOf(data: PooledData, view: DerivedView): TableContent {
  const { message, before } = data;
  const shown = view.now ?? before;
  const parted = message.parted.length > 0;
  const cells = (weights: Weights, at: number) => [
    weightWords(weights.value[at] as number),
    endsWords(weights, at),
  ];
  const columns = [
    "feature",
    ...(view.now ? ["without the stress"] : []),
    "pooled",
    "interval",
    ...(parted ? ["from rows that have it", "interval", "from rows that do not", "interval"] : []),
    "rows with it",
  ];
  const rows = ordered(data, view, view.state.order).map((at) => [
    message.features[at] as string,
    ...(view.now ? [weightWords(before.direction.value[at] as number)] : []),
    ...cells(shown.direction, at),
    ...(parted ? [...cells(shown.present, at), ...cells(shown.absent, at)] : []),
    count(message.n_present[at] as number),
  ]);
  const of = view.now ? view.population.words : "the data as they are";
  return { caption: `${message.axis}; ${of}. ${coverageWords(message, view)}.`, columns, rows };
}

const ORDERS: Record<Order, string> = {
  before: "largest without the stress first",
  now: "largest under the stress first",
  change: "largest change first",
};

function createOrder({ intend, signal }: Context) {
  return createPicker(
    { "aria-label": "Order", "data-testid": "order" },
    orders.map((order) => [order, ORDERS[order]] as const),
    signal,
    (order, event) => intend({ order }, event),
  );
}

export function createPanel(context: Context): Part {
  const { data, signal } = context;
  const { message } = data;
  const population = createPopulation(context);
  const bars = createBars(context);
  const choice = createChoice(context);
  const rowsPooled = createRowsPooled(context);
  const picker = createOrder(context);
  const reading = html("p", { class: "ts-reading", "data-testid": "reading" });
  let shown: DerivedView | null = null;
  const table = createDataTable("The numbers as a table", signal, () =>
    shown ? tableOf(data, shown) : { caption: "", columns: [], rows: [] },
  );
  const announcer = createAnnouncer(signal, (view: DerivedView) => spokenWords(data, view));
  const gloss = `${capitalize(message.axis)}: to the right more of the feature leads there, to the left less of it. `;
  const coverage = html("span", { "data-testid": "coverage" });
  const notes = message.notes.map((note) => html("li", {}, note));
  const main = html(
    "section",
    { class: "ts-main", "aria-label": "Pooled weights" },
    html("div", { class: "ts-pool-line" }, reading, picker),
    bars,
    html("p", { class: "ts-quiet ts-gloss" }, gloss, coverage),
    ...(notes.length > 0 ? [html("ul", { class: "ts-quiet ts-gloss" }, ...notes)] : []),
    ...(rowsPooled ? [rowsPooled] : []),
    table,
  );
  return {
    element: html(
      "div",
      { class: "ts-pooled-panel" },
      createTitle(message.title, message.model),
      choice,
      population,
      main,
      announcer,
    ),
    update(view, before) {
      shown = view;
      choice.update(view, before);
      population.update(view, before);
      rowsPooled?.update(view, before);
      main.classList.toggle("ts-is-stale", (view.progress?.doing ?? "") !== "");
      setText(reading, readingWords(data, view));
      setText(coverage, `${capitalize(coverageWords(message, view))}.`);
      picker.value = view.state.order;
      bars.update(view, before);
      table.refresh();
      announcer.update(view, before);
    },
  };
}
