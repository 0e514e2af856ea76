/** The love plot: how far every feature's mean went, in its own standard deviations. */

import { createDataTable } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { tauOf } from "../../../wire/shared_stress";
import type { Answer } from "./answers";
import { type Context, movedIn, type Part } from "./context";
import { shiftWords } from "./words";

const MOST_ROWS = 14;

/** Standardised differences of the means, after less before; NaN where there is none. */
export function shifts({ features }: Context, { achieved, reason }: Answer): number[] {
  return features.map(({ mean, sd }, f) => (reason ? Number.NaN : (achieved(f) - mean) / sd));
}

/** The first features and those that are moved, in their order. */
export function drawnFeatures(count: number, moved: readonly number[]): number[] {
  const first = Math.max(0, MOST_ROWS - moved.filter((f) => f >= MOST_ROWS).length);
  return Array.from({ length: count }, (_, f) => f).filter((f) => f < first || moved.includes(f));
}

export function createLovePlot(context: Context): Part {
  const { features, mean, signal } = context;
  let limit = 1;
  let answered: Answer | null = null;
  const rows = features.map(({ name }) => {
    const dot = html("span", { class: "ts-track-dot" });
    const stem = html("span", { class: "ts-track-stem" });
    const value = html("span", { class: "ts-number ts-quiet" });
    const element = html(
      "div",
      { class: "ts-love-row" },
      html("span", { class: "ts-love-name", title: name }, name),
      html("div", { class: "ts-track ts-love-track", "aria-hidden": "true" }, stem, dot),
      value,
    );
    return { element, dot, stem, value };
  });
  const list = html("div", { class: "ts-love" });
  const scale = html("p", { class: "ts-quiet ts-love-scale" });
  const table = createDataTable(
    "Every feature as a table",
    () => ({
      caption: "Means before and after, and their difference in standard deviations",
      columns: ["feature", "before", "after", "difference"],
      rows: features.map((about, f) => [
        about.name,
        mean(f).value(about.mean),
        mean(f).value(answered && !answered.reason ? answered.achieved(f) : Number.NaN),
        shiftWords(answered ? (shifts(context, answered)[f] as number) : Number.NaN),
      ]),
    }),
    signal,
  );
  const element = html(
    "section",
    { class: "ts-love-plot" },
    html("h3", {}, "How far each feature's mean went"),
    scale,
    list,
    table.element,
  );
  let shown = "";
  return {
    element,
    update({ state, answer }) {
      answered = answer;
      const moved = movedIn(state, features);
      const wanted = drawnFeatures(features.length, moved);
      if (wanted.join() !== shown) {
        shown = wanted.join();
        list.replaceChildren(...wanted.map((f) => rows[f]?.element ?? ""));
      }
      const smd = shifts(context, answer);
      for (const f of wanted) {
        const size = Math.abs(smd[f] as number);
        if (size > limit) limit = Math.ceil(2 * size) / 2;
      }
      setText(scale, `in standard deviations, from −${limit} to +${limit}`);
      list.classList.toggle("ts-is-stale", answer.stale);
      for (const f of wanted) {
        const row = rows[f];
        if (!row) continue;
        const value = smd[f] as number;
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
