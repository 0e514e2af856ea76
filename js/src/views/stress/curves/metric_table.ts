/** Every metric under the one stress, so that a gain here is seen beside a loss there. */

import { html, setText } from "../../../marks/element";
import { columnHead, rowHead, tableHead } from "../../../marks/table";
import { markNumber } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";
import { atZero } from "./words";

const MOST_ROWS = 12;

export function createMetricTable(context: Context): Part {
  const { data, metric, measures } = context;
  const { metrics } = data.message;
  const zero = atZero(data.message.hold);
  const rows = metrics.slice(0, MOST_ROWS).map(({ label }) => {
    const before = html("span", { class: "ts-quiet" });
    const value = html("b");
    const interval = html("div", { class: "ts-quiet" });
    const cell = html("td", { class: "ts-number" }, before, value, interval);
    const element = html("tr", {}, rowHead(capitalize(label)), cell);
    return { element, cell, before, value, interval };
  });
  const numbersHead = columnHead(`${zero} → now`);
  const table = html(
    "table",
    { class: "ts-metrics" },
    tableHead("metric", numbersHead),
    html("tbody", {}, ...rows),
  );
  const element = html("section", { class: "ts-all-metrics" }, html("h3", {}, "All metrics"), table);
  if (metrics.length > MOST_ROWS) {
    const left = `+ ${metrics.length - MOST_ROWS} more in the picker`;
    element.append(html("p", { class: "ts-quiet" }, left));
  }
  return {
    element,
    update(next, before) {
      const shown = measures(next.metric);
      if (next.metric !== before?.metric) {
        rows.forEach(({ element: row }, k) => {
          row.classList.toggle("ts-is-chosen", shown.includes(k));
        });
      }
      if (next.tau === before?.tau && next.feature === before.feature) return;
      setText(numbersHead, next.tau === data.zero ? zero : `${zero} → now`);
      rows.forEach((row, k) => {
        const { bare, pair } = metric(k);
        const curve = data.curve(next.feature, k);
        const at = (values: Float32Array) => bare(values[next.tau] as number);
        const [before, now] = pair(curve.value[data.zero] as number, curve.value[next.tau] as number);
        setText(row.before, next.tau === data.zero ? "" : `${before} → `);
        setText(row.value, now);
        setText(row.interval, intervalWords(at(curve.lower), at(curve.upper)));
        row.value.classList.toggle("ts-accent", next.tau !== data.zero);
        const judged = data.judged(next.feature, k, next.tau);
        markNumber(row.cell, data.message.reliability, metrics[k]?.events ?? [], judged);
      });
    },
  };
}
