/** Every metric at the thresholds chosen: as tested, under the stress, and how far groups are apart. */

import { html, setText } from "../../../marks/element";
import type { QuantityFormat } from "../../../theme/formats";
import { LEVELS } from "../../../wire/reasons";
import type { ThresholdsMessage } from "../../../wire/stress/thresholds";
import type { Part } from "../../shared/part";
import { markLevel } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import { cellOf, differenceOf, type State } from "./state";

function createLine(head: string, testid: string) {
  const [before, value, range] = [html("span"), html("b"), html("span", { class: "ts-quiet" })];
  const trust = html("td", { class: "ts-trust" });
  const was = html("td", { class: "ts-number ts-was" }, before);
  const now = html("td", { class: "ts-number", "data-testid": testid }, value, " ", range);
  const element = html("tr", {}, html("th", { scope: "row" }, head), was, now, trust);
  return { element, before, value, range, trust, now };
}

function createGap() {
  const [words, value, range] = [html("span"), html("b"), html("span", { class: "ts-quiet" })];
  const cell = html("td", { class: "ts-number", "data-testid": "gap", colspan: 2 }, value, " ", range);
  const element = html(
    "tr",
    { class: "ts-gap" },
    html("th", { scope: "row" }, words),
    html("td", { class: "ts-was" }),
    cell,
  );
  return {
    element,
    update(state: State, metric: number, { change }: QuantityFormat) {
      const found = differenceOf(state, metric);
      const name = (group: number) => state.now.groups[group]?.name ?? "";
      setText(words, found ? `${name(found.largest)} − ${name(found.smallest)}` : "gap");
      const bare = (end: number) => change(end).replace(" points", "");
      setText(value, found ? change(found.value) : "n/a");
      setText(range, found ? intervalWords(bare(found.lower), bare(found.upper)) : "");
    },
  };
}

export function createMetrics(
  message: ThresholdsMessage,
  formats: (state: State) => readonly QuantityFormat[],
): Part<State> {
  const { metrics, groups, confidence, by } = message;
  const bodies = metrics.map(({ name, label }, j) => {
    const lines = groups.map((group) =>
      createLine(group || capitalize(label), by ? `${name}-${group}` : name),
    );
    const gap = groups.length > 1 ? createGap() : null;
    const title = html("tr", {}, html("th", { scope: "rowgroup", colspan: 4 }, capitalize(label)));
    const element = html("tbody", {}, ...(by ? [title] : []), ...lines.map((line) => line.element));
    if (gap) element.append(gap.element);
    return { element, lines, gap, j };
  });
  const head = (words: string, more = {}) => html("th", { scope: "col", ...more }, words);
  const percent = `(${Number((100 * confidence).toPrecision(6))}\u00a0%)`;
  const under = head("");
  const table = html(
    "table",
    { class: "ts-at-threshold", "data-testid": "metrics" },
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        head(by || "metric"),
        head("as tested", { class: "ts-was" }),
        under,
        head("reliability"),
      ),
    ),
    ...bodies.map(({ element }) => element),
  );
  return {
    element: html("section", {}, html("h3", {}, "At this threshold"), table),
    update(state) {
      const every = formats(state);
      table.classList.toggle("ts-unmoved", !state.now.moved);
      table.classList.toggle("ts-is-stale", state.late);
      setText(under, `${state.now.moved ? "under the stress" : "as tested"} ${percent}`);
      for (const { lines, gap, j } of bodies) {
        const format = every[j] as QuantityFormat;
        lines.forEach((line, group) => {
          const { before, value, lower, upper, level, why } = cellOf(state, group, j);
          setText(line.before, format.value(before));
          setText(line.value, format.value(value));
          setText(line.range, intervalWords(format.bare(lower), format.bare(upper)));
          line.now.classList.toggle("ts-is-wide", level === 1);
          line.now.classList.toggle("ts-is-unreliable", level === 2);
          setText(line.trust, why || LEVELS[level]);
          markLevel(line.trust, level);
        });
        gap?.update(state, j, format);
      }
    },
  };
}
