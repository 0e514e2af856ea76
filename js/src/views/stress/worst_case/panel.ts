/** The panel of a worst case: how far the weights are, how much is allowed, the metric there, and what it leans on. */

import { createButton, switchOff } from "../../../marks/button";
import { createDataTable } from "../../../marks/data_table";
import { html, setText, showText } from "../../../marks/element";
import { rowHead, tableHead } from "../../../marks/table";
import { quantityFormat } from "../../../theme/formats";
import type { WorstCaseMessage } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { amountWords } from "../../shared/amounts";
import { createAnnouncer } from "../../shared/announcer";
import { confidenceWords, createEstimate, createNotes, showTrust } from "../../shared/estimates";
import { createFollowedHeader } from "../../shared/followed";
import { createLoveRow, distanceFormat, limitFor } from "../../shared/love_row";
import type { Part } from "../../shared/part";
import { createTitledPanel } from "../../shared/title";
import { createWaySlider } from "../../shared/way_slider";
import { capitalize, intervalWords, rowsOf } from "../../shared/words";
import { isThere, type State, stepOf, worstStress } from "./state";

const MOST = 12;
const signed = distanceFormat(1);

/** What a worst case leans on: how far each mean is moved, in standard deviations, the largest first. */
function createMargins(signal: AbortSignal): Part<State> {
  const list = html("ul", { class: "ts-love", "data-testid": "margins" });
  const scale = html("p", { class: "ts-quiet ts-love-scale" });
  let shown: State | null = null;
  const table = createDataTable("Every feature as a table", signal, () => ({
    caption: "Means as tested and in the worst case, and their difference in standard deviations as tested",
    columns: ["feature", "as tested → worst case", "standard deviations"],
    rows: shown ? stepOf(shown).margins.map((one) => [one.feature, one.words, signed(one.smd)]) : [],
  }));
  const element = html(
    "section",
    { class: "ts-worst-margins" },
    html("h3", {}, "What it leans on"),
    scale,
    list,
    table,
  );
  return {
    element,
    update(state, before) {
      shown = state;
      const { margins } = stepOf(state);
      element.hidden = margins.length === 0;
      if (before && stepOf(before) === stepOf(state)) return;
      const far = state.way.steps.flatMap((step) => step.margins.map(({ smd }) => Math.abs(smd)));
      const limit = limitFor(Math.max(0.1, ...far.filter(Number.isFinite)));
      setText(
        scale,
        `How far each mean is moved, in standard deviations as tested, from −${limit} to +${limit}`,
      );
      const rows = margins.slice(0, MOST).map(({ feature, words, smd }) => {
        const numbers = html("span", { class: "ts-number", title: words }, signed(smd));
        const row = createLoveRow(feature, numbers);
        row.show(0, smd, limit);
        return row.element;
      });
      list.replaceChildren(...rows);
      table.refresh();
    },
  };
}

interface Read {
  readonly n: number;
  readonly before: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: (typeof LEVELS)[number];
  readonly why: string;
}

/** A line of the table: which rows, the metric before and there, and how far to rely on it. */
function createLine(name: string, testid: string) {
  const head = rowHead(name);
  const rows = html("span", { class: "ts-quiet" });
  const before = html("td", { class: "ts-number" });
  const there = createEstimate({ "data-testid": testid });
  const trust = html("span", { class: "ts-trust" });
  head.append(rows, trust);
  return {
    element: html("tr", {}, head, before, there),
    update({ n, before: was, value: now, lower, upper, level, why }: Read, write: Write) {
      setText(rows, `${rowsOf(n)}`);
      setText(before, write.value(was));
      there.show(write.value(now), intervalWords(write.bare(lower), write.bare(upper)));
      showTrust(trust, LEVELS.indexOf(level) as Level, why);
    },
  };
}
type Write = ReturnType<typeof quantityFormat>;

export function createPanel(
  message: WorstCaseMessage,
  intend: (change: Partial<State>, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { title, n_rows, metric, before, reach, held_out, confidence, interval } = message;
  const header = createFollowedHeader(n_rows, signal);
  const of = reach === null ? "of what was allowed" : "of the way";
  const slider = createWaySlider(
    {
      label: reach === null ? "How much is allowed" : "How much of the way",
      of,
      typed: reach === null ? "How much of what was allowed" : "How much of the way",
      hint: "A part such as 60 % or 0.6",
      ends: ["20 %", reach === null ? "all that was allowed" : "the value to be reached"],
    },
    signal,
    (at, event) => intend({ at }, event),
  );
  const write = ({ way }: State) => {
    const widths = way.steps.map(({ lower, upper }) => upper - lower).filter((width) => width > 0);
    return quantityFormat(metric.kind, widths.length ? Math.min(...widths) : 1, 1);
  };
  const headline = html("p", { class: "ts-first-words", "data-testid": "headline" });
  const leans = html("p", { class: "ts-quiet", "data-testid": "leans-on" });
  const sentence = (state: State) => {
    const { value, lower, upper, allowed, amount } = stepOf(state);
    const { bare, pair } = write(state);
    const [was, is] = pair(before, value);
    const ends = intervalWords(bare(lower), bare(upper));
    const part = amount === 1 ? "" : ` (${amountWords(amount)} ${of})`;
    return `${capitalize(metric.label)}: ${was} as tested, ${is} (${ends}) in the worst case. ${capitalize(allowed)}${part}.`;
  };
  const all = createLine("all rows, which it was chosen on", "chosen");
  const held = createLine("rows held out of the choice", "held-out");
  const heads = ["read on", "as tested", `worst case ${confidenceWords(confidence)}`];
  const table = html(
    "table",
    { class: "ts-estimates", "data-testid": "estimates" },
    tableHead(...heads),
    html("tbody", {}, all, held),
  );
  const unread = html("p", { class: "ts-quiet", "data-testid": "unread" });
  let shown: State | null = null;
  const button = createButton({ "data-testid": "use" }, "Use as stress", signal, (event) => {
    const stress = shown && worstStress(stepOf(shown));
    if (stress) intend({ stress }, event);
  });
  const using = html("span", { class: "ts-quiet", "data-testid": "using" });
  const margins = createMargins(signal);
  const notes = createNotes();
  const announcer = createAnnouncer(signal, (state: State) => `${sentence(state)} ${using.textContent}`);
  return {
    element: createTitledPanel(
      "ts-estimates-panel ts-worst-panel",
      title,
      `${rowsOf(n_rows)}`,
      header,
      html(
        "div",
        {},
        slider,
        headline,
        leans,
        html("p", { class: "ts-worst-use" }, button, using),
        table,
        unread,
      ),
      margins,
      notes,
      announcer,
    ),
    update(state, last) {
      shown = state;
      const step = stepOf(state);
      const all_of_it = step.amount === 1;
      header.element.classList.add("ts-is-stressed");
      header.say({ strong: "the worst case", rest: `: ${step.allowed}` });
      header.measure(step);
      header.judge({ level: step.level, words: step.doubt });
      slider.update(state, last);
      setText(headline, sentence(state));
      setText(leans, step.leans_on && `It leans on ${step.leans_on}.`);
      const format = write(state);
      all.update({ ...step, n: n_rows, before, level: step.reliability }, format);
      const readable = held_out !== null && held_out.failed === "" && all_of_it;
      held.element.hidden = !readable;
      if (readable) held.update({ ...held_out, n: held_out.n_rows }, format);
      showText(
        unread,
        held_out?.failed || (held_out && !all_of_it ? "Read on rows held out at 100 % alone." : ""),
      );
      const there = isThere(state);
      switchOff(button, step.unsaid !== "" || there);
      setText(
        using,
        step.unsaid
          ? `Linked views cannot follow: ${step.unsaid}.`
          : there
            ? "The sliders of linked views stand here."
            : "Moves the sliders of linked views to this population.",
      );
      margins.update(state, last);
      if (!last || stepOf(last) !== step) notes.show([`Interval: ${interval}.`, ...step.notes]);
      announcer.update(state, last);
    },
  };
}
