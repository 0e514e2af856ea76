/** Every metric under the one stress, before and after, each on a scale of its own chance. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { columnHead, rowHead, tableHead } from "../../../marks/table";
import { NOTHING } from "../../../solve/stress/metrics";
import type { Interval } from "../../../wire/buffers";
import { isStressed } from "../../../wire/shared_stress";
import { markNumber, RELIABLE } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";

/** Widths of the unstressed interval that the scale spans at least. */
const SPAN = 6;
const ROOM = 0.06;

function createScale(before: Interval, bounded: boolean) {
  const width = before.upper - before.lower || Math.abs(before.value) / 10 || 0.02;
  let [low, high] = [before.value - (SPAN / 2) * width, before.value + (SPAN / 2) * width];
  return {
    /** Make room for values; the scale never narrows again, so that nothing jumps back. */
    include(...values: number[]) {
      for (const value of values) {
        if (!Number.isFinite(value)) continue;
        const margin = ROOM * (high - low);
        if (value < low) low = value - margin;
        if (value > high) high = value + margin;
      }
      if (bounded) [low, high] = [Math.max(low, 0), Math.min(high, 1)];
    },
    at: (value: number) => `${(100 * Math.min(1, Math.max(0, (value - low) / (high - low)))).toFixed(2)}%`,
    part: (from: number, to: number) => `${((100 * Math.max(0, to - from)) / (high - low)).toFixed(2)}%`,
  };
}

export function createMetrics({ data, metric: formats, metrics, intend, signal }: Context): Part {
  const rows = metrics.map(({ label, kind }, k) => {
    const unstressed = data.message.unstressed[k] ?? NOTHING;
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const chance = html("span", { class: "ts-track-chance" });
    const tick = html("span", { class: "ts-track-tick" });
    const bar = html("span", { class: "ts-track-bar" });
    const dot = html("span", { class: "ts-track-dot" });
    const track = html("div", { class: "ts-track", "aria-hidden": "true" }, chance, tick, bar, dot);
    const choose = createButton({ class: "ts-metric-name" }, capitalize(label), signal, (event) =>
      intend({ metric: k }, event),
    );
    const cell = html("td", { class: "ts-number" }, before, value, interval);
    const element = html("tr", {}, rowHead(choose), html("td", { class: "ts-track-cell" }, track), cell);
    const scale = createScale(unstressed, kind !== "value");
    return { element, cell, before, value, interval, chance, tick, bar, dot, choose, scale, unstressed };
  });
  const numbersHead = columnHead("");
  const table = html(
    "table",
    { class: "ts-metrics ts-joint-metrics" },
    tableHead("metric", "", numbersHead),
    html("tbody", {}, ...rows),
  );
  return {
    element: html("section", { class: "ts-all-metrics" }, html("h3", {}, "All metrics"), table),
    update({ state, answer }, before) {
      const none = answer.reason !== "" && !answer.stale;
      table.classList.toggle("ts-is-stale", answer.stale);
      table.classList.toggle("ts-is-none", none);
      const resting = !isStressed(state.stress);
      setText(numbersHead, resting ? "as tested" : "as tested → now");
      rows.forEach((row, k) => {
        const { bare, pair } = formats(k);
        const now = answer.estimate(k);
        const { unstressed, scale } = row;
        const [was, is] = pair(unstressed.value, now.value);
        setText(row.before, `${was} → `);
        if (state.metric !== before?.state.metric) {
          row.element.classList.toggle("ts-is-chosen", k === state.metric);
          row.choose.setAttribute("aria-pressed", String(k === state.metric));
        }
        row.before.hidden = resting;
        setText(row.value, none ? "none" : is);
        setText(row.interval, none ? "–" : intervalWords(bare(now.lower), bare(now.upper)));
        markNumber(row.cell, data.message.reliability, metrics[k]?.events ?? [], none ? RELIABLE : now);
        scale.include(unstressed.value, unstressed.lower, unstressed.upper, now.value, now.lower, now.upper);
        row.chance.style.left = scale.at(unstressed.lower);
        row.chance.style.width = scale.part(unstressed.lower, unstressed.upper);
        row.tick.style.left = scale.at(unstressed.value);
        row.bar.hidden = !Number.isFinite(now.lower);
        row.dot.hidden = !Number.isFinite(now.value);
        row.bar.style.left = scale.at(now.lower);
        row.bar.style.width = scale.part(now.lower, now.upper);
        row.dot.style.left = scale.at(now.value);
      });
    },
  };
}
