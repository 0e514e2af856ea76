/** Groups of the rows under the stress of one feature: what they are told apart by, a line for each, and the gap. */

import { html, setText } from "../../../marks/element";
import { createPicker, type Option } from "../../../marks/picker";
import { tableHead } from "../../../marks/table";
import type { MetricMessage } from "../../../wire/messages";
import type { Shift } from "../../../wire/stress/curves";
import { createGroupCell, createGroupHead } from "../../shared/group_line";
import { barely, capitalize, intervalWords } from "../../shared/words";
import type { Context, Part } from "./context";
import { groupsOf, type State } from "./state";

const SHIFTS: readonly Option<Shift>[] = [
  ["marginal", "marginal shift"],
  ["within", "shift within groups"],
];

/** Why no groups are shown, or what is shown of them; "" where none are asked for. */
export function groupWords({ data, measures }: Context, state: State): string {
  const { by, feature, many, metric, shift } = state;
  const { live, offline, features } = data.message;
  if (by === "") return "";
  if (many?.by === by && many.error) return many.error;
  if (!groupsOf(data, state)) {
    const name = features[feature]?.name;
    if (live) return `The kernel follows groups by ${by} under the stress of ${name}…`;
    return (
      offline || `Groups by ${by} under the stress of ${name} are not in this copy, which has no kernel.`
    );
  }
  const [main = 0] = measures(metric);
  const { label = "", name = "" } = data.message.metrics[main] ?? {};
  if (!many?.metrics.includes(name))
    return `${capitalize(label)} takes all rows at once: it has no groups here.`;
  return many.notes[shift];
}

/** The two choices, side by side. */
export function createGroupPicker({ data, intend, signal }: Context): Part {
  const { by: offered } = data.message;
  const by = createPicker(
    { class: "ts-heading", "aria-label": "Groups of rows", "data-testid": "by" },
    [["", "all rows"], ...offered.map((name) => [name, name] as const)],
    signal,
    (name, event) => intend({ by: name, group: 0 }, event),
  );
  const shift = createPicker(
    { class: "ts-heading", "aria-label": "Kind of shift", "data-testid": "shift" },
    SHIFTS,
    signal,
    (kind, event) => intend({ shift: kind }, event),
  );
  const element = html("div", { class: "ts-by" }, html("label", {}, "By:", by), shift);
  element.hidden = offered.length === 0;
  return {
    element,
    update(state, before) {
      if (state.by === before?.by && state.shift === before.shift) return;
      by.selectedIndex = offered.indexOf(state.by) + 1;
      shift.selectedIndex = state.shift === "within" ? 1 : 0;
      shift.hidden = state.by === "";
    },
  };
}

/** A line for each group, of one grouping and one metric. */
function createTable(context: Context, { many }: State, main: number) {
  const { data, metric } = context;
  const { events, label } = data.message.metrics[main] as MetricMessage;
  const { labels = [], group_rows = [] } = many ?? {};
  const lines = labels.map((name, group) => {
    const head = createGroupHead(name, group_rows[group] as number);
    const cell = createGroupCell(data.message.reliability, events, metric(main));
    return { head, cell, element: html("tr", {}, head, cell) };
  });
  return {
    element: html(
      "table",
      { class: "ts-metrics" },
      tableHead("group", capitalize(label)),
      html("tbody", {}, ...lines),
    ),
    lines,
  };
}

/** How far the groups are apart in words: gap, ratio and the worst group. */
function createGap({ data, metric }: Context) {
  const [pair, gap, ofGap, ratio, ofRatio, worst] = [
    html("span"),
    html("b"),
    html("span", { class: "ts-quiet ts-number" }),
    html("b"),
    html("span", { class: "ts-quiet ts-number" }),
    html("b"),
  ];
  const quotient = html("span", {}, "; smallest to largest ", ratio, " ", ofRatio);
  const last = html("span", {}, "; worst: ", worst);
  const element = html(
    "p",
    { class: "ts-gap", "data-testid": "gap" },
    "Gap ",
    pair,
    ": ",
    gap,
    " ",
    ofGap,
    quotient,
    last,
  );
  const two = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : "n/a");
  return {
    element,
    update(state: State, main: number) {
      const found = groupsOf(data, state)?.gap(data.message.metrics[main]?.name ?? "", state.tau);
      const name = (group: number) => state.many?.labels[group] ?? "";
      const write = (value: number) => metric(main).change(value).replace("+", "");
      element.hidden = !found;
      if (!found) return;
      const bare = (value: number) => barely(write(value));
      setText(pair, `${name(found.largest)} − ${name(found.smallest)}`);
      setText(gap, write(found.gap[0]));
      setText(ofGap, intervalWords(bare(found.gap[1]), bare(found.gap[2])));
      quotient.hidden = !Number.isFinite(found.ratio[0]);
      setText(ratio, two(found.ratio[0]));
      setText(ofRatio, intervalWords(two(found.ratio[1]), two(found.ratio[2])));
      last.hidden = found.worst < 0;
      setText(worst, name(found.worst));
    },
  };
}

/** @param open whether the table stands open, and not behind a line that opens it */
export function createGroups(context: Context, open = true): Part {
  const { data, measures } = context;
  const note = html("p", { class: "ts-quiet", "aria-live": "polite", "data-testid": "group-note" });
  const holder = html("div", { class: "ts-table-holder ts-group-holder", "data-testid": "groups" });
  const gap = createGap(context);
  const summary = html("summary", { "data-testid": "open-groups" }, "The groups in numbers");
  const shown = open ? holder : html("details", {}, summary, holder);
  const element = html("section", { class: "ts-by-group" }, note, gap, shown);
  let table: ReturnType<typeof createTable> | null = null;
  return {
    element,
    update(state, before) {
      element.hidden = state.by === "";
      if (element.hidden) return;
      const [main = 0] = measures(state.metric);
      const groups = groupsOf(data, state);
      const { name = "" } = data.message.metrics[main] ?? {};
      setText(note, groupWords(context, state));
      gap.update(state, main);
      if (!groups || !state.many?.metrics.includes(name)) {
        holder.replaceChildren();
        table = null;
        shown.hidden = true;
        return;
      }
      shown.hidden = false;
      if (!table || state.metric !== before?.metric || state.many !== before.many) {
        table = createTable(context, state, main);
        holder.replaceChildren(table.element);
      }
      const { tau } = state;
      table.lines.forEach(({ head, cell, element: line }, group) => {
        const { share, ess } = groups.population(group);
        const at = (values: Float32Array | undefined) => values?.[tau] as number;
        const curve = groups.curve(group, name);
        const tested = (values: Float32Array) =>
          tau === data.zero ? Number.NaN : (values[data.zero] as number);
        head.update({ before: tested(share), now: at(share), ess: at(ess) });
        line.classList.toggle("ts-is-chosen", group === state.group);
        if (!curve) return;
        const now = { value: at(curve.value), lower: at(curve.lower), upper: at(curve.upper) };
        cell.update(tested(curve.value), { ...now, ...curve.judged(tau) });
      });
    },
  };
}
