/** The widget of calibration: the kernel compares under the stress that views share, the page shows and picks. */

import "./style.css";
import { html, setText } from "../../../marks/element";
import {
  type CalibrationMeasureMessage,
  type CalibrationMessage,
  type CalibrationViewTraits,
  calibrationMessage,
  calibrationShownMessage,
} from "../../../wire/messages";
import { checkCount } from "../../../wire/schema";
import { readStressOrNone } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { createGroupRows, createNotes, rangeWords } from "../../shared/estimates";
import { createFollowedHeader, createReader, showFollowed } from "../../shared/followed";
import { startLoop } from "../../shared/loop";
import type { Part } from "../../shared/part";
import { createTitledPanel } from "../../shared/title";
import { createView } from "../../shared/view";
import { capitalize, rowsOf } from "../../shared/words";
import { createDiagram } from "./diagram";
import { createMeasures, measureFormat } from "./measures";
import { DOING, groupOf, type State } from "./state";

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
