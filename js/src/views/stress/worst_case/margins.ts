/** What a worst case leans on: how far each mean is moved, in standard deviations, the largest first. */

import { createDataTable } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createLoveRow, distanceFormat, limitFor } from "../../shared/love_row";
import type { Part } from "../../shared/part";
import { type State, stepOf } from "./state";

const MOST = 12;
const signed = distanceFormat(1);

export function createMargins(signal: AbortSignal): Part<State> {
  const list = html("ul", { class: "ts-love", "data-testid": "margins" });
  const scale = html("p", { class: "ts-quiet ts-love-scale" });
  let shown: State | null = null;
  const table = createDataTable(
    "Every feature as a table",
    () => ({
      caption: "Means as tested and in the worst case, and their difference in standard deviations as tested",
      columns: ["feature", "as tested → worst case", "standard deviations"],
      rows: shown ? stepOf(shown).margins.map((one) => [one.feature, one.words, signed(one.smd)]) : [],
    }),
    signal,
  );
  const element = html(
    "section",
    { class: "ts-worst-margins" },
    html("h3", {}, "What it leans on"),
    scale,
    list,
    table.element,
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
