/**
 * The widget of a pooled boundary: which features carry the decisions of many rows, before and after the stress that
 * views share. Where the rows came along it weighs and pools them itself; else the kernel does.
 */

import "./style.css";
import { createButton } from "../../../marks/button";
import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { createStat } from "../../../marks/stat";
import type { Solve } from "../../../solve/stress/solutions";
import { count, quantityFormat } from "../../../theme/formats";
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
import {
  type PooledBoundaryViewTraits,
  type PooledMessage,
  pooledProgressMessage,
} from "../../../wire/messages";
import { unlessEmpty } from "../../../wire/schema";
import { UNSTRESSED } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { markLevel } from "../../shared/reliability";
import { stressSentence } from "../../shared/stress_shown";
import { createTitle } from "../../shared/title";
import { createView, type Stage } from "../../shared/view";
import { capitalize, rowsOf, type Sentence } from "../../shared/words";
import { createBars } from "./bars";
import type { Context, Part } from "./context";
import { createViewDeriver, type DerivedView } from "./derive_view";
import { createRowsPooled } from "./rows_pooled";
import { CHOICES, type State, stateFromTraits } from "./state";
import {
  coverageWords,
  endsWords,
  ordered,
  readingWords,
  spokenWords,
  trustWords,
  weightWords,
} from "./words";

/** "Compute for the 12 rows selected", "Compute for 200 of the 3,120 rows selected". */
function offerWords({ max_rows, n_errors }: PooledMessage, nSelected: number): string {
  const n = nSelected || n_errors;
  const some = n > max_rows ? `${count(max_rows)} of ` : "";
  return `Compute for ${some}the ${rowsOf(n)} ${nSelected > 0 ? "selected" : "misclassified"}`;
}

/** The rows pooled in words: those selected as such. */
function pooledWords(message: PooledMessage, nSelected: number): string {
  if (nSelected === 0) return message.rows;
  const drawn = message.n_chosen < message.n_given ? `${count(message.n_chosen)} drawn from ` : "";
  return `${drawn}the ${rowsOf(nSelected)} selected`;
}

/** Which rows are pooled beside those selected: that they are others, a way to pool these, and how far that is. */
function createChoice({ data, compute, stop, signal }: Context): Part {
  const { message } = data;
  const words = html("span", { role: "status", "data-testid": "choice" });
  const button = createButton({ "data-testid": "pool" }, [], signal, () => (busy ? stop() : compute()));
  const element = html("div", { class: "ts-pool-choice" }, words, button);
  let busy = false;
  return {
    element,
    update({ state, progress, ofSelected }) {
      const n = state.selection.length;
      busy = (progress?.doing ?? "") !== "";
      const error = progress?.error ?? "";
      const others = n > 0 && !ofSelected;
      const none = n === 0 && message.given !== "errors" && message.n_errors > 0;
      const wanted = others || none;
      element.hidden = !(wanted || busy || error);
      element.classList.toggle("ts-failed", error !== "");
      button.hidden = !(busy || (message.live && wanted));
      const offer = offerWords(message, n);
      setText(button, busy ? "Cancel" : offer);
      if (busy && progress) {
        const soFar = progress.n_model_rows > 0 ? `: ${count(progress.n_model_rows)} model rows` : "";
        setText(words, `${progress.doing}${soFar}…`);
      } else if (error) setText(words, error);
      else if (others) {
        const why = message.live ? "" : ` ${message.offline}`;
        setText(words, `Pooled are ${message.rows}, not the ${rowsOf(n)} selected.${why}`);
      } else setText(words, "No row is selected.");
    },
  };
}

const percent = quantityFormat("share", 1).value;
const cosine = quantityFormat("value", 1, 2).bare;
const GLOSSES = {
  pooled: "Those of the rows chosen that have a direction and weight.",
  share: "Of the population's weight.",
  size: "(Σw)² / Σw² of the rows pooled: what the intervals rest on.",
  agreement: "Weighted mean cosine of the rows' directions with the pooled one; 1 where all point alike.",
} as const;

const WORDS = { doing: "weighs the rows", first: "weighs the rows", instead: "" };

function sentence({ population, stale, now }: DerivedView, nRows: number): Sentence {
  const { problem, words } = population;
  if (problem) {
    return {
      strong: "none.",
      rest: ` The stress cannot be shown: ${problem}. The bars are of the data as they are.`,
    };
  }
  return stressSentence({ now: now && { words }, late: stale, problem }, nRows, WORDS);
}

/** Which rows are pooled, of which population: in words and in numbers, before any bar. */
function createPopulation({ data, intend, signal }: Context): Part {
  const { message } = data;
  const header = createPopulationHeader(message.n_rows, signal, (event) =>
    intend({ stress: UNSTRESSED }, event),
  );
  const pooled = createStat("rows pooled", "pooled", [GLOSSES.pooled, signal]);
  const size = createStat("effective", "size", [GLOSSES.size, signal]);
  const share = createStat("of the population", "share", [GLOSSES.share, signal]);
  const agreement = createStat("mean cosine", "agreement", [GLOSSES.agreement, signal]);
  const trust = html("p", { "data-testid": "reliability" }, html("b"), html("span"));
  const [level, why] = trust.children as unknown as [HTMLElement, HTMLElement];
  const chosen = html(
    "p",
    { "data-testid": "rows" },
    html("span", { class: "ts-quiet" }, "Pooled: "),
    html("span"),
  );
  const facts = html("dl", {}, pooled, size, share, agreement);
  const ours = html("div", { class: "ts-pooled-rows" }, chosen, facts, trust);
  return {
    element: html("div", { class: "ts-pooled-head" }, header, ours),
    update(view) {
      const { population, stale } = view;
      const nSelected = view.ofSelected ? view.state.selection.length : 0;
      setText(chosen.lastElementChild as HTMLElement, pooledWords(message, nSelected));
      const stressed = population.stressed && population.problem === "";
      header.element.classList.toggle("ts-is-stressed", stressed);
      for (const part of [header.stats, ours]) part.classList.toggle("ts-is-stale", stale);
      header.sentence.classList.toggle("ts-notice", population.problem !== "");
      header.stats.hidden = population.problem !== "" || message.n_rows === 0;
      header.tail.hidden = !stressed && !message.weighted;
      header.reset.hidden = !population.stressed && !stale;
      header.say(sentence(view, message.n_rows));
      header.measure(population, stressed || stale || population.problem ? null : linkedHint(message.live));
      const { n, size: rows, share: part, agreement: alike } = view.facts;
      const was = message.facts;
      pooled.set(count(n), n < message.n_chosen ? `of ${count(message.n_chosen)}` : "");
      size.set(count(rows), "rows");
      share.element.hidden = part === null;
      share.set(
        part === null ? "" : percent(part),
        stressed && was.share !== null ? `instead of ${percent(was.share)}` : "",
      );
      agreement.set(cosine(alike), stressed ? `instead of ${cosine(was.agreement)}` : "");
      const words = trustWords(message, view);
      setText(level, words.strong);
      setText(why, words.rest);
      markLevel(trust, words.level);
    },
  };
}

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
    notes.length > 0 && html("ul", { class: "ts-quiet ts-gloss" }, ...notes),
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
