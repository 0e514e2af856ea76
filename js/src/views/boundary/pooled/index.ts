/**
 * The widget of a pooled boundary: which features carry the decisions of many rows, before and after the stress that
 * views share. Where the rows came along it weighs and pools them itself; else the kernel does.
 */

import "./style.css";
import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import type { Solve } from "../../../solve/stress/solutions";
import { count } from "../../../theme/formats";
import {
  DATA,
  decodePooled,
  decodePooledAnswer,
  type Order,
  orders,
  type PooledData,
  type Weights,
} from "../../../wire/boundary/pooled";
import type { Columns } from "../../../wire/columns";
import { type PooledBoundaryViewTraits, pooledProgressMessage } from "../../../wire/messages";
import { unlessEmpty } from "../../../wire/schema";
import { createAnnouncer } from "../../shared/announcer";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createTitle } from "../../shared/title";
import { createView, type Stage } from "../../shared/view";
import { capitalize } from "../../shared/words";
import { createBars } from "./bars";
import { createChoice } from "./choice";
import type { Context, Part } from "./context";
import { createViewDeriver, type DerivedView } from "./derive_view";
import { createPopulation } from "./population";
import { createRowsPooled } from "./rows_pooled";
import { CHOICES, type State, stateFromTraits } from "./state";
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

/** The parts of the panel in their places, updated together. */
function createPanel(context: Context): Part {
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

const ANSWER = ["answer", "answer_pooled"] as const;

function mount(stage: Stage<PooledBoundaryViewTraits>, solveOn?: (columns: Columns) => Solve): void {
  const { traits, signal } = stage;
  const data = decodePooled(traits.pick(DATA));
  let answer = decodePooledAnswer(data.message, traits.pick(ANSWER));
  const derive = createViewDeriver(data, () => answer, solveOn);

  const raise = (name: "compute" | "stop") => () => traits.set(name, (traits.get(name) ?? 0) + 1);

  const view = (state: State) =>
    derive(state, unlessEmpty(pooledProgressMessage)(traits.get("progress"), "progress"));
  const open = (actions: Actions<State>) =>
    derived(createPanel({ ...actions, data, compute: raise("compute"), stop: raise("stop") }), view);
  const { repaint } = startLoop<PooledBoundaryViewTraits, State>(stage, {
    choices: CHOICES,
    read: () => stateFromTraits(traits.pick(CHOICES)),
    write(change, state) {
      if (change.stress) traits.set("stress", { ...state.stress });
      if (change.order) traits.set("order", state.order);
      if (change.row !== undefined) traits.set("row", state.row);
      if (change.most !== undefined) traits.set("n_features", state.most);
    },
    createPanel: open,
  });

  // an answer is two traits, which come one after another within a frame
  const readAgain = stage.guard(() => {
    answer = decodePooledAnswer(data.message, traits.pick(ANSWER));
    repaint();
  });
  traits.onChange(ANSWER, oncePerFrame(signal, readAgain));
  traits.onChange(["progress"], stage.guard(repaint));
}

/** @param solveOn how stresses are solved on its columns; by default for itself alone */
export function createPooledView(solveOn?: (columns: Columns) => Solve) {
  return createView<PooledBoundaryViewTraits>({
    root: "ts-pooled",
    data: DATA,
    awaited: "the pooled boundary",
    shown: "This pooled boundary",
    mount: (stage) => mount(stage, solveOn),
  });
}

export default createPooledView();
