/** The confusion matrix: shares of all weight, as tested and under the stress; each cell selects its rows. */

import { html, OWN_KEYS, setText } from "../../../marks/element";
import { count, quantityFormat } from "../../../theme/formats";
import { isStressed } from "../../../wire/shared_stress";
import type { ConfusionMessage, OutcomeMetric, Outcomes } from "../../../wire/stress/outcomes";
import { markNumber, RELIABLE } from "../../shared/reliability";
import { intervalWords } from "../../shared/words";
import type { Answer } from "../../stress/joint/answers";
import type { Context, View } from "../../stress/joint/context";

const share = quantityFormat("share", 0.3);

export interface Confusion {
  readonly element: HTMLElement;
  update(context: Context, view: View): void;
}

/** Whether each place of the matrix holds what is predicted as it is. */
function isRight({ rows_are, columns }: ConfusionMessage, place: number): boolean {
  const [row, column] = [Math.floor(place / columns.length), place % columns.length];
  return rows_are === "truth" ? row === column : row === 0;
}

/** Rows of each place, in the order of the study. */
export function rowsByPlace({ rows, columns, place }: ConfusionMessage, { cell }: Outcomes): number[][] {
  const found: number[][] = Array.from({ length: rows.length * columns.length }, () => []);
  cell.forEach((code, row) => {
    found[place[code] as number]?.push(row);
  });
  return found;
}

/** The share of the rows in a place as a metric of the cells. */
function metricOf({ place }: ConfusionMessage, which: number): OutcomeMetric {
  return {
    name: `place ${which}`,
    label: "",
    kind: "share",
    form: "ratio",
    top: place.map((one) => Number(one === which)),
    bottom: place.map(() => 1),
    power: -1,
    centre: 0,
    unit: 1,
    scale: "logit",
    tail: 0,
    events: ["rows there", "other rows"],
  };
}

function placeWords({ rows_are, rows, columns }: ConfusionMessage, place: number): string {
  const [row, predicted] = [rows[Math.floor(place / columns.length)], columns[place % columns.length]];
  return rows_are === "truth" ? `${row}, predicted ${predicted}` : `predicted ${predicted}, ${row}`;
}

/** @param select the rows of a cell, in the order of the study */
export function createConfusion(
  message: ConfusionMessage,
  outcomes: Outcomes,
  select: (rows: readonly number[]) => void,
  signal: AbortSignal,
): Confusion {
  const { rows, columns, rows_are } = message;
  const inPlace = rowsByPlace(message, outcomes);
  const metrics = inPlace.map((_, place) => metricOf(message, place));
  const within = inPlace.map((members) => {
    const one = new Uint8Array(outcomes.cell.length);
    for (const row of members) one[row] = 1;
    return one;
  });
  const tested: number[] = [];
  /** The share of all weight as tested, which no stress changes. */
  const beforeOf = ({ shareOf }: Answer, place: number) => {
    if (shareOf) tested[place] ??= shareOf(within[place] as Uint8Array).before;
    return tested[place] ?? Number.NaN;
  };
  const cells = inPlace.map((members, place) => {
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const button = html(
      "button",
      {
        type: "button",
        class: "ts-confusion-cell",
        "data-testid": `confusion-${place}`,
        disabled: members.length === 0,
        title: `Select ${members.length === 1 ? "the row" : `these ${count(members.length)} rows`}: ${placeWords(message, place)}`,
        ...OWN_KEYS,
      },
      before,
      value,
      interval,
    );
    button.addEventListener("click", () => select(members), { signal });
    const element = html("td", { class: isRight(message, place) ? "" : "ts-is-wrong" }, button);
    return { element, before, value, interval, button };
  });
  const head = (words: string, scope: "row" | "col") => html("th", { scope }, words);
  const lines = rows.map((name, row) =>
    html(
      "tr",
      {},
      head(rows_are === "truth" ? `is ${name}` : name, "row"),
      ...cells.slice(row * columns.length, (row + 1) * columns.length).map(({ element }) => element),
    ),
  );
  const table = html(
    "table",
    { class: "ts-confusion" },
    html("thead", {}, html("tr", {}, html("td"), ...columns.map((name) => head(`predicted ${name}`, "col")))),
    html("tbody", {}, ...lines),
  );
  const title = html("h3");
  const holder = html(
    "div",
    { class: "ts-table-holder", tabindex: 0, role: "group", "aria-label": "Confusion matrix", ...OWN_KEYS },
    table,
  );
  const hint = html("p", { class: "ts-quiet" }, "A cell selects its rows, in every view.");
  return {
    element: html("section", { class: "ts-confusion-part", "data-testid": "confusion" }, title, holder, hint),
    update({ data }, { state, answer }) {
      const stressed = isStressed(state.stress);
      setText(title, `Right and wrong, share of all rows${stressed ? ": as tested → now" : ", as tested"}`);
      const none = answer.reason !== "" && !answer.stale;
      cells.forEach((cell, place) => {
        const found = answer.ofMetric?.(metrics[place] as OutcomeMetric);
        const before = beforeOf(answer, place);
        setText(cell.before, stressed ? `${share.value(before)} → ` : "");
        const empty = inPlace[place]?.length === 0;
        setText(cell.value, none ? "none" : empty ? "0 %" : share.value(found?.value ?? Number.NaN));
        setText(
          cell.interval,
          none || empty || !found ? "" : intervalWords(share.bare(found.lower), share.bare(found.upper)),
        );
        const events = metrics[place]?.events ?? [];
        markNumber(
          cell.element,
          data.message.reliability,
          events,
          none || empty || !found ? RELIABLE : found,
        );
      });
    },
  };
}
