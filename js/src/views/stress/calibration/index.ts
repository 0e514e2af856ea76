/** The widget of calibration: the kernel compares under the stress that views share, the page shows and picks. */

import "./style.css";
import { html, setText } from "../../../marks/element";
import { columnHead, rowHead } from "../../../marks/table";
import { type QuantityFormat, quantityFormat } from "../../../theme/formats";
import {
  type CalibrationMeasuredMessage,
  type CalibrationMeasureMessage,
  type CalibrationMessage,
  type CalibrationViewTraits,
  calibrationMessage,
  calibrationShownMessage,
} from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { checkCount } from "../../../wire/schema";
import { readStressOrNone } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import {
  createEstimate,
  createEstimateTable,
  createGroupRows,
  createNotes,
  rangeWords,
  showTrust,
} from "../../shared/estimates";
import { createFollowedHeader, createReader, showFollowed } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import type { Part } from "../../shared/part";
import { createTitledPanel } from "../../shared/title";
import { createView } from "../../shared/view";
import { barely, capitalize, rowsOf } from "../../shared/words";
import { createDiagram } from "./diagram";
import { DOING, groupOf, type State } from "./state";

interface MeasureFormat {
  readonly value: (value: number) => string;
  readonly bare: (value: number) => string;
  readonly change: (value: number) => string;
}

/** Write a measure by the narrowest interval that is known of it, so that decimals hold for all groups. */
function measureFormat(
  { kind }: CalibrationMeasureMessage,
  rows: readonly (CalibrationMeasuredMessage | undefined)[],
): MeasureFormat {
  const widths = rows.map((row) => (row ? row.upper - row.lower : Number.NaN)).filter((width) => width > 0);
  const format: QuantityFormat = quantityFormat(
    kind === "value" ? "value" : "share",
    widths.length ? Math.min(...widths) : 1,
    1,
  );
  const { change } = format;
  if (kind === "points") return { value: change, bare: (value) => barely(change(value)), change };
  return { value: format.value, bare: format.bare, change };
}

const WAS = { class: "ts-number ts-was" };

function createLine(head: string, testid: string, kind: CalibrationMeasureMessage["kind"]) {
  const [ideal, trust] = [html("span", { class: "ts-quiet" }), html("span", { class: "ts-trust" })];
  const before = createEstimate(WAS);
  const now = createEstimate({ "data-testid": testid });
  const change = createEstimate({ ...WAS, "data-testid": `${testid}-change` });
  const name = rowHead(head, ideal, trust);
  return {
    element: html("tr", {}, name, before, now, change),
    update(row: CalibrationMeasuredMessage, { value, bare, change: signed }: MeasureFormat) {
      before.show(value(row.before), rangeWords(bare(row.before_lower), bare(row.before_upper)));
      now.show(value(row.value), rangeWords(bare(row.lower), bare(row.upper)));
      const [lower, upper] = [row.change_lower, row.change_upper].map((end) => barely(signed(end)));
      change.show(signed(row.change), rangeWords(lower as string, upper as string));
      const level = LEVELS.indexOf(row.level) as Level;
      setText(ideal, `${kind === "share" ? value(row.if_calibrated) : row.if_calibrated} if calibrated`);
      showTrust(trust, level, row.why);
      now.judge(level);
    },
  };
}

/** Every measure: as tested, under the stress, what it changed, and how far groups are apart. */
function createMeasures(message: CalibrationMessage): Part<State> {
  const { measures } = message;
  const kindOf = (j: number) => (measures[j] as CalibrationMeasureMessage).kind;
  const table = createEstimateTable(message, {
    testid: "measures",
    attributes: { class: "ts-estimates ts-measures" },
    rows: measures,
    heads: ["measure", columnHead("change", { class: "ts-was" })],
    createLine: (head, testid, j) => createLine(head, testid, kindOf(j)),
    isGap: (j) => measures[j]?.name !== "expected_calibration_error",
  });
  return {
    element: html("section", {}, html("h3", {}, "Measures"), table),
    update(state) {
      const { groups, gaps } = state.now;
      table.update(state);
      table.bodies.forEach(({ lines, gap }, j) => {
        const rows = groups.map((group) => group.measures[j]);
        const format = measureFormat(measures[j] as CalibrationMeasureMessage, rows);
        lines.forEach((line, g) => {
          const row = rows[g];
          line.element.hidden = row === undefined;
          if (row) line.update(row, format);
        });
        const found = gaps.find(({ measure }) => measure === j);
        gap?.update(found ? { ...found, value: found.gap } : null, format.change);
      });
    },
  };
}

/** The messages of calibration: the same words as in Python, checked once, then only read. */
export function decodeShown(value: unknown, { groups, measures }: CalibrationMessage) {
  const shown = calibrationShownMessage(value, "shown");
  if (shown.error) return shown;
  checkCount("shown", shown.groups, groups.length, `groups of ${measures.length} measures`);
  for (const group of shown.groups) checkCount("shown", group.measures, measures.length, "measures");
  return shown;
}

/** The panel of calibration: the population, what it says in a sentence, the diagram, every measure, and notes. */
function createPanel(
  message: CalibrationMessage,
  intend: (change: Partial<State>, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { title, n_rows, measures, groups, by, interval, offline } = message;
  const header = createFollowedHeader(n_rows, signal);
  const sentence = (state: State) => {
    const found = groupOf(state);
    if (!found) return "Nothing could be computed.";
    const told = found.measures.map((row, j) => {
      const measure = measures[j] as CalibrationMeasureMessage;
      const { value, bare } = measureFormat(measure, [row]);
      const ends = Number.isFinite(row.value) ? ` (${rangeWords(bare(row.lower), bare(row.upper))})` : "";
      const before = state.now.moved ? `, as tested ${value(row.before)}` : "";
      return `${measure.label}: ${value(row.value)}${ends}${before}`;
    });
    return `${by ? `${groups[state.group]}: ` : ""}${by ? told.join("; ") : capitalize(told.join("; "))}.`;
  };
  const headline = html("p", { class: "ts-first-words", "data-testid": "headline" });
  const groupRows = createGroupRows(by, groups);
  const notes = createNotes();
  const diagram = createDiagram(message, signal, intend);
  const table = createMeasures(message);
  const announcer = createAnnouncer(signal, sentence);
  return {
    element: createTitledPanel(
      "ts-estimates-panel ts-calibration-panel",
      title,
      `${rowsOf(n_rows)}`,
      header,
      html("div", {}, headline, groupRows, diagram),
      table,
      notes,
      announcer,
    ),
    update(state, before) {
      const { now } = state;
      showFollowed(header, state, offline, DOING);
      setText(headline, sentence(state));
      groupRows.show(now.groups);
      if (now !== before?.now) {
        const said = now.notes.map((note) => note.replace("`if_calibrated`", "“if calibrated”"));
        notes.show([`Interval: ${interval}.`, ...said]);
      }
      diagram.update(state, before);
      table.update(state, before);
      announcer.update(state, before);
    },
  };
}

export default createView<CalibrationViewTraits>({
  root: "ts-calibration",
  data: ["message"],
  awaited: "the calibration",
  shown: "This calibration",
  asksKernel: (traits) => calibrationMessage(traits.get("message"), "message").offline === "",
  mount: (stage) => {
    const { traits } = stage;
    const message = calibrationMessage(traits.get("message"), "message");
    const read = createReader((value) => decodeShown(value, message));
    startLoop<CalibrationViewTraits, State>(stage, {
      choices: ["group", "stress", "shown"],
      read: () => ({
        ...read(traits.get("shown"), message.offline, readStressOrNone(traits.get("stress"))),
        group: Math.max(0, message.groups.indexOf(traits.get("group"))),
      }),
      write: (change, { group }) => {
        if (change.group !== undefined) traits.set("group", message.groups[group] ?? "");
      },
      createPanel: ({ signal, intend }) => createPanel(message, intend, signal),
    });
  },
});
