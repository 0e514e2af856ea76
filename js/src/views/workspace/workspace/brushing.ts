/** One selection of rows: made by a cell of the confusion matrix, told below the population. */

import { createButton } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import { followPresence } from "../../../marks/presence";
import { rowHead, tableHead, tableHolder } from "../../../marks/table";
import { quantityFormat } from "../../../theme/formats";
import {
  type ConfusionMessage,
  type SelectedMessage,
  selectedMessage,
  type WorkspaceTraits,
} from "../../../wire/messages";
import { unlessEmpty } from "../../../wire/schema";
import { isStressed, sameStress } from "../../../wire/shared_stress";
import { oncePerFrame } from "../../shared/once_per_frame";
import { inNextFrame, type Part, whileHere } from "../../shared/part";
import { markNumber, RELIABLE } from "../../shared/reliability";
import type { Traits } from "../../shared/traits";
import { intervalWords, rowsOf } from "../../shared/words";
import type { ShareOf } from "../../stress/joint/answers";
import type { Context, View } from "../../stress/joint/context";
import { EVENTS, type Places, placesHere, placesInKernel } from "./confusion_places";
import type { Ask } from "./kernel_requests";

const share = quantityFormat("share", 0.3);
const HINT = "A cell selects its rows, in every view.";

interface Confusion {
  readonly element: HTMLElement;
  update(context: Context, view: View): void;
}

/** Whether each place of the matrix holds what is predicted as it is. */
function isRight({ rows_are, columns }: ConfusionMessage, place: number): boolean {
  const [row, column] = [Math.floor(place / columns.length), place % columns.length];
  return rows_are === "truth" ? row === column : row === 0;
}

function placeWords({ rows_are, rows, columns }: ConfusionMessage, place: number): string {
  const [row, predicted] = [rows[Math.floor(place / columns.length)], columns[place % columns.length]];
  return rows_are === "truth" ? `${row}, predicted ${predicted}` : `predicted ${predicted}, ${row}`;
}

/** The confusion matrix: shares of all weight, as tested and under the stress; each cell selects its rows. */
export function createConfusion(message: ConfusionMessage, places: Places, signal: AbortSignal): Confusion {
  const { rows, columns, rows_are } = message;
  const hint = html("p", { class: "ts-quiet" }, places.refused || HINT);
  const cells = places.counts.map((n, place) => {
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const button = createButton(
      {
        class: "ts-confusion-cell",
        "data-testid": `confusion-${place}`,
        disabled: n === 0 || places.refused !== "",
        title: `Select ${n === 1 ? "the row" : `these ${rowsOf(n)}`}: ${placeWords(message, place)}`,
      },
      [before, value, interval],
      signal,
      () => choose(),
    );
    const choose = () => places.select(place).catch((error: Error) => setText(hint, error.message));
    const element = html("td", { class: isRight(message, place) ? "" : "ts-is-wrong" }, button);
    return { element, before, value, interval, button };
  });
  const lines = rows.map((name, row) =>
    html(
      "tr",
      {},
      rowHead(rows_are === "truth" ? `is ${name}` : name),
      ...cells.slice(row * columns.length, (row + 1) * columns.length),
    ),
  );
  const table = html(
    "table",
    { class: "ts-confusion" },
    tableHead(html("td"), ...columns.map((name) => `predicted ${name}`)),
    html("tbody", {}, ...lines),
  );
  const title = html("h3");
  const holder = tableHolder("Confusion matrix", table);
  return {
    element: html("section", { class: "ts-confusion-part", "data-testid": "confusion" }, title, holder, hint),
    update({ data }, { state, answer }) {
      const stressed = isStressed(state.stress);
      setText(title, `Right and wrong, share of all rows${stressed ? ": as tested → now" : ", as tested"}`);
      const none = answer.reason !== "" && !answer.stale;
      table.classList.toggle("ts-is-stale", answer.stale);
      cells.forEach((cell, place) => {
        const found = places.now(answer, place);
        setText(cell.before, stressed ? `${share.value(places.before(answer, place))} → ` : "");
        const empty = places.counts[place] === 0;
        setText(cell.value, none ? "none" : empty ? "0 %" : share.value(found?.value ?? Number.NaN));
        setText(
          cell.interval,
          none || empty || !found ? "" : intervalWords(share.bare(found.lower), share.bare(found.upper)),
        );
        markNumber(
          cell.element,
          data.message.reliability,
          EVENTS,
          none || empty || !found ? RELIABLE : found,
        );
      });
    },
  };
}

const percent = quantityFormat("share", 1).value;

/** Shares, and whether they are of the stress before. */
interface Told {
  readonly shares: ShareOf | null;
  readonly late: boolean;
}

/** What the kernel said last of these rows. */
function toldByKernel(selection: readonly number[], { state }: View, told: SelectedMessage | null): Told {
  const total = selection.reduce((sum, row) => sum + row, 0);
  if (!told || told.n !== selection.length || told.total !== total) return { shares: null, late: true };
  const { stress, share: before, share_after: now } = told;
  return {
    shares: { before, now: isStressed(stress) ? now : before },
    late: !sameStress(stress, state.stress),
  };
}

/** "Selected 37 rows, 2.3 % of the weight (1.9 % as tested):" */
function selectedWords(n: number, shares: ShareOf | null, stressed: boolean): string {
  const start = `Selected ${rowsOf(n)}`;
  if (!shares) return `${start}:`;
  if (!stressed) return `${start}, ${percent(shares.before)} of the weight:`;
  const now = Number.isFinite(shares.now) ? `${percent(shares.now)} of the weight` : "no weight to be had";
  return `${start}, ${now} (${percent(shares.before)} as tested):`;
}

/** @param clear the selection */
function createSelected(nRows: number, signal: AbortSignal, clear: () => void) {
  const words = html("span", { role: "status", "data-testid": "selected-words" });
  const places = html("input", {
    type: "text",
    readonly: true,
    class: "ts-selected-rows",
    "aria-label": "Positions of the rows selected, to be copied",
    title: "Click, then copy: positions of the rows selected",
    "data-testid": "selected-rows",
  });
  listen(places, "focus", signal, () => places.select());
  const button = createButton({ "data-testid": "clear-selection" }, "Clear", signal, clear);
  const element = html(
    "div",
    { class: "ts-selected", "data-testid": "selection", hidden: true },
    words,
    places,
    button,
  );
  let known: readonly number[] | null = null;
  const within = new Uint8Array(nRows);
  return {
    element,
    /**
     * @param view null before the population is known
     * @param byKernel what the kernel says of them, where the rows are there
     */
    update(selection: readonly number[], view: View | null, byKernel: SelectedMessage | null) {
      element.hidden = selection.length === 0;
      if (selection !== known) {
        within.fill(0);
        for (const row of selection) within[row] = 1;
        places.value = selection.join(", ");
        known = selection;
      }
      if (element.hidden) return;
      const here = view?.answer.shareOf?.(within);
      const told = here ? { shares: here, late: false } : view && toldByKernel(selection, view, byKernel);
      const stressed = view !== null && isStressed(view.state.stress);
      setText(words, selectedWords(selection.length, told?.shares ?? null, stressed));
      element.classList.toggle("ts-is-stale", told?.late === true);
    },
  };
}

/** What the panel of the sliders and metrics shows. */
interface Shown {
  readonly context: Context;
  readonly view: View;
}

/** The confusion matrix of what is shown, if it has one, after all metrics. */
function createMatrix(
  metrics: HTMLElement,
  select: (rows: readonly number[]) => void,
  ask: Ask,
  signal: AbortSignal,
): Part<Shown> {
  let confusion: Confusion | null = null;
  const place = ({ data, gone }: Context) => {
    const message = data.message.outcomes.confusion;
    if (!message) return null;
    const places = data.outcomes
      ? placesHere(message, data.outcomes, select)
      : message.in_kernel && placesInKernel(message.in_kernel, (place) => ask("cell", { place }), gone);
    if (!places) return null;
    const made = createConfusion(message, places, signal);
    metrics.querySelector(".ts-all-metrics")?.after(made.element);
    return made;
  };
  return {
    element: metrics,
    update({ context, view }) {
      // a panel drawn anew has put its own pieces in the place of all
      if (!metrics.contains(confusion?.element ?? null)) confusion = place(context);
      confusion?.update(context, view);
    },
  };
}

/**
 * @param nRows of the study
 * @param ask the kernel, where the rows are there
 */
export function createBrushing(
  nRows: number,
  traits: Traits<WorkspaceTraits>,
  metrics: HTMLElement,
  ask: Ask,
  signal: AbortSignal,
) {
  const select = (rows: readonly number[]) => traits.set("selection", [...rows]);
  const selected = createSelected(nRows, signal, () => select([]));
  const presence = followPresence(metrics, signal);
  const matrix = inNextFrame(whileHere(createMatrix(metrics, select, ask, signal), presence), signal);
  let latest: Shown | null = null;
  const tell = () => {
    const byKernel = unlessEmpty(selectedMessage)(traits.get("selected"), "selected");
    selected.update(traits.get("selection") ?? [], latest?.view ?? null, byKernel);
  };
  const soon = oncePerFrame(signal, tell);
  traits.onChange(["selection", "selected"], soon);
  tell();
  return {
    /** What is selected. */
    element: selected.element,
    /** The population is another, or its numbers are there. */
    show(context: Context, view: View) {
      const before = latest;
      latest = { context, view };
      matrix.update(latest, before);
      soon();
    },
  };
}
