/** The love plot: how far every feature's mean went, in its own standard deviations. */

import { createDataTable } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createName } from "../../../marks/name";
import type { ColumnMessage } from "../../../wire/messages";
import { isStressed, tauOf } from "../../../wire/shared_stress";
import { byColumn, groupByColumn } from "../../shared/columns";
import { lineLabels } from "../../shared/line_labels";
import { memoize } from "../../shared/memoize";
import type { Answer } from "./answers";
import { type Context, movedIn, type Part } from "./context";
import { shiftWords } from "./words";

const MOST_ROWS = 14;
const LETTERS_KEPT = 8;
/** Shifts that are written alike are alike. */
const STEPS = 100;

/** Standardised difference of a feature's mean, after less before; NaN where there is none. */
export function shiftOf({ features }: Context, { achieved, reason }: Answer, feature: number): number {
  const { mean, sd } = features[feature] as ColumnMessage;
  return reason ? Number.NaN : (achieved(feature) - mean) / sd;
}

/** Of each of the first columns the feature that went farthest; and all that are moved, in their columns' place. */
export function drawnFeatures(
  columns: readonly (readonly number[])[],
  moved: ReadonlySet<number>,
  shift: (feature: number) => number,
): number[] {
  let room = Math.max(0, MOST_ROWS - moved.size);
  const size = (feature: number) => Math.round(STEPS * Math.abs(shift(feature))) || 0;
  return columns.flatMap((members) => {
    const own = members.filter((feature) => moved.has(feature));
    if (own.length > 0 || room === 0) return own;
    room--;
    return [members.reduce((far, feature) => (size(feature) > size(far) ? feature : far))];
  });
}

export function createLovePlot(context: Context): Part {
  const { features, mean, signal } = context;
  const columns = byColumn(features, groupByColumn(features));
  const labels = lineLabels(features);
  const gathered = columns.some((members) => members.length > 1);
  const ofLevels = gathered ? "; of a column of levels, the one that went farthest or is moved" : "";
  let limit = 1;
  let answered: Answer | null = null;
  const createRow = (feature: number) => {
    const dot = html("span", { class: "ts-track-dot" });
    const stem = html("span", { class: "ts-track-stem" });
    const value = html("span", { class: "ts-number ts-quiet" });
    const element = html(
      "div",
      { class: "ts-love-row" },
      createName("ts-love-name", features[feature]?.name ?? "", labels[feature], LETTERS_KEPT),
      html("div", { class: "ts-track ts-love-track", "aria-hidden": "true" }, stem, dot),
      value,
    );
    return { element, dot, stem, value };
  };
  const rows = new Map<number, ReturnType<typeof createRow>>();
  const rowOf = (feature: number) => {
    const row = rows.get(feature) ?? createRow(feature);
    rows.set(feature, row);
    return row;
  };
  const list = html("div", { class: "ts-love" });
  const scale = html("p", { class: "ts-quiet ts-love-scale" });
  const table = createDataTable("Every feature as a table", signal, () => ({
    caption: "Means before and after, and their difference in standard deviations",
    columns: ["feature", "before", "after", "difference"],
    rows: features.map((about, f) => [
      about.name,
      mean(f).value(about.mean),
      mean(f).value(answered && !answered.reason ? answered.achieved(f) : Number.NaN),
      shiftWords(answered ? shiftOf(context, answered, f) : Number.NaN),
    ]),
  }));
  const element = html(
    "section",
    { class: "ts-love-plot" },
    html("h3", {}, "How far each feature's mean went"),
    scale,
    list,
    table,
  );
  let shown = "";
  return {
    element,
    update({ state, answer }) {
      answered = answer;
      element.hidden = !isStressed(state.stress); // no row of zeros
      if (element.hidden) return;
      const smd = memoize((feature: number) => shiftOf(context, answer, feature));
      const wanted = drawnFeatures(columns, new Set(movedIn(state, features)), smd);
      if (wanted.join() !== shown) {
        shown = wanted.join();
        list.replaceChildren(...wanted.map((f) => rowOf(f).element));
      }
      for (const f of wanted) {
        const size = Math.abs(smd(f));
        if (size > limit) limit = Math.ceil(2 * size) / 2;
      }
      setText(scale, `in standard deviations, from −${limit} to +${limit}${ofLevels}`);
      list.classList.toggle("ts-is-stale", answer.stale);
      for (const f of wanted) {
        const row = rowOf(f);
        const value = smd(f);
        const known = Number.isFinite(value);
        const at = 50 + (50 * value) / limit;
        row.dot.hidden = row.stem.hidden = !known;
        if (known) {
          row.dot.style.left = `${at.toFixed(2)}%`;
          row.stem.style.left = `${Math.min(50, at).toFixed(2)}%`;
          row.stem.style.width = `${Math.abs(at - 50).toFixed(2)}%`;
        }
        setText(row.value, shiftWords(value));
        row.element.classList.toggle("ts-is-chosen", tauOf(state.stress, features[f]?.name ?? "") !== 0);
      }
      table.refresh();
    },
  };
}
