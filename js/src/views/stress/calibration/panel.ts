/** The panel of calibration: the population, what it says in a sentence, the diagram, every measure, and notes. */

import { html, reconcile, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { CalibrationMessage, MeasureMessage } from "../../../wire/stress/calibration";
import { createAnnouncer } from "../../shared/announcer";
import { showFollowed } from "../../shared/followed";
import type { Part } from "../../shared/part";
import { createPopulationHeader } from "../../shared/population";
import { createTitle } from "../../shared/title";
import { capitalize } from "../../shared/words";
import { createDiagram } from "./diagram";
import { createMeasures, measureFormat } from "./measures";
import { DOING, groupOf, rangeWords, type State } from "./state";

export function createPanel(
  message: CalibrationMessage,
  intend: (change: Partial<State>, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { title, n_rows, measures, groups, by, interval, offline } = message;
  const header = createPopulationHeader(n_rows, () => {}, signal);
  header.reset.remove(); // a stress is followed here, never set
  const sentence = (state: State) => {
    const found = groupOf(state);
    if (!found) return "Nothing could be computed.";
    const told = found.measures.map((row, j) => {
      const measure = measures[j] as MeasureMessage;
      const { value, bare } = measureFormat(measure, [row]);
      const ends = Number.isFinite(row.value) ? ` (${rangeWords(bare(row.lower), bare(row.upper))})` : "";
      const before = state.now.moved ? `, as tested ${value(row.before)}` : "";
      return `${measure.label}: ${value(row.value)}${ends}${before}`;
    });
    return `${by ? `${groups[state.group]}: ` : ""}${by ? told.join("; ") : capitalize(told.join("; "))}.`;
  };
  const headline = html("p", { class: "ts-calibration-headline", "data-testid": "headline" });
  const groupRows = html("p", { class: "ts-quiet", "data-testid": "group-rows" });
  const notes = html("ul", { class: "ts-quiet ts-calibration-notes", "data-testid": "notes" });
  const diagram = createDiagram(message, intend, signal);
  const table = createMeasures(message);
  const announcer = createAnnouncer(sentence, signal);
  return {
    element: html(
      "section",
      { class: "ts-panel ts-calibration-panel", "aria-label": title },
      createTitle(title, `${count(n_rows)} rows`),
      header.element,
      html("div", {}, headline, groupRows, diagram.element),
      table.element,
      notes,
      announcer.element,
    ),
    update(state, before) {
      const { now } = state;
      showFollowed(header, state, offline, DOING);
      setText(headline, sentence(state));
      const rows = now.groups.map(({ ess, n_rows }, g) => `${groups[g]} ${count(ess)} of ${count(n_rows)}`);
      setText(groupRows, by ? `Effective rows: ${rows.join(", ")}.` : "");
      groupRows.hidden = by === "";
      if (now !== before?.now) {
        reconcile(
          notes,
          [`Interval: ${interval}.`, ...now.notes].map((note) =>
            html("li", {}, note.replace("`if_calibrated`", "“if calibrated”")),
          ),
        );
      }
      diagram.update(state, before);
      table.update(state, before);
      announcer.update(state, before);
    },
  };
}
