/** The metrics in groups of the rows: "by sex", a line for each, as tested and under the one stress. */

import { html } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { columnHead, tableHolder } from "../../../marks/table";
import { createGroupCell, createGroupHead } from "../../shared/group_line";
import { memoize } from "../../shared/memoize";
import { capitalize } from "../../shared/words";
import type { Answer, GroupAnswer } from "./answers";
import type { Context, Part } from "./context";
import { type Group, groupColumns } from "./groups";

const NOTE = "The population moves as a whole; shares of the groups follow.";

/** Where the rows are not here: how to ask, of a column that has levels; "" where none has. */
function elsewhereWords({ features, data }: Context): string {
  const numbers = new Set(features.filter(({ kind }) => kind === "numeric").map(({ column }) => column));
  const level = features.find(({ column }) => !numbers.has(column));
  if (data.outcomes || !level) return "";
  return `By group: the rows are not in this page, so that Python answers: study.reweight(…).by(${JSON.stringify(level.column)}).`;
}

/** A group's line: its share of the rows, then every metric. */
function createLine({ data, metrics, metric: formats }: Context, { label, nRows }: Group) {
  const head = createGroupHead(label, nRows);
  const cells = metrics.map(({ events }, metric) =>
    createGroupCell(data.message.reliability, events ?? [], formats(metric)),
  );
  return {
    element: html("tr", {}, head),
    cells: cells.map(({ element }) => element),
    update({ before, now }: GroupAnswer, none: boolean) {
      head.update({ before: before.share, now: now.share, ess: now.ess }, none);
      cells.forEach((cell, metric) => {
        cell.update(before.estimate(metric).value, now.estimate(metric), none);
      });
    },
  };
}

/** The table of a column; the chosen metric comes first. */
function createTable(context: Context, groups: readonly Group[]) {
  const { metrics } = context;
  const lines = groups.map((group) => createLine(context, group));
  const head = html("tr", {}, columnHead("group"));
  const heads = metrics.map(({ label }) => columnHead(capitalize(label)));
  return {
    element: html("table", { class: "ts-metrics" }, html("thead", {}, head), html("tbody", {}, ...lines)),
    choose(chosen: number) {
      const order = [chosen, ...metrics.keys()].filter((metric, place) => place === 0 || metric !== chosen);
      const placed = <T>(of: readonly T[]) => order.map((metric) => of[metric] as T);
      head.append(...placed(heads));
      for (const line of lines) line.element.append(...placed(line.cells));
      heads.forEach((one, metric) => {
        one.classList.toggle("ts-is-chosen", metric === chosen);
      });
    },
    update({ ofGroup, reason }: Answer) {
      if (!ofGroup) return;
      groups.forEach(({ within }, k) => {
        lines[k]?.update(ofGroup(within), reason !== "");
      });
    },
  };
}

export function createGroupTable(context: Context): Part {
  const { data, intend, signal } = context;
  const columns = groupColumns(data.columns);
  const picker = createPicker(
    { class: "ts-heading", "aria-label": "Metrics by group", "data-testid": "by" },
    [["", "all rows"], ...columns.map(({ name }, k) => [String(k), name] as const)],
    signal,
    (_, event) => intend({ by: columns[picker.selectedIndex - 1]?.name ?? "" }, event),
  );
  const holder = tableHolder("Metrics by group");
  holder.classList.add("ts-group-holder");
  holder.dataset.testid = "groups";
  const shown = html("div", {}, holder, html("p", { class: "ts-quiet" }, NOTE));
  const elsewhere = elsewhereWords(context);
  const element = html("section", { class: "ts-by-group" });
  if (columns.length > 0) element.append(html("h3", {}, html("label", {}, "By: ", picker)), shown);
  else if (elsewhere) element.append(html("p", { class: "ts-quiet" }, elsewhere));
  else element.hidden = true;
  const tableOf = memoize((place: number) => createTable(context, columns[place]?.groups() ?? []));
  return {
    element,
    update({ state, answer }, before) {
      const place = columns.findIndex(({ name }) => name === state.by);
      picker.selectedIndex = place + 1;
      shown.hidden = place < 0;
      if (place < 0) return;
      const table = tableOf(place);
      if (holder.firstChild !== table.element || state.metric !== before?.state.metric) {
        holder.replaceChildren(table.element);
        holder.scrollLeft = 0;
        table.choose(state.metric);
      }
      table.element.classList.toggle("ts-is-none", answer.reason !== "");
      table.update(answer);
    },
  };
}
