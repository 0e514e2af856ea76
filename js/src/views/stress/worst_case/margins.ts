/** What a worst case leans on: how far each mean is moved, in standard deviations, the largest first. */

import { createDataTable } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { createName } from "../../../marks/name";
import { quantityFormat } from "../../../theme/formats";
import type { Part } from "../../shared/part";
import { type State, stepOf } from "./state";

const MOST = 12;
const LETTERS_KEPT = 8;
const { change } = quantityFormat("value", 1);
const signed = (smd: number) => change(smd).replace(/^[+−](?=0(\.0+)?$)/, "");

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
      const limit = Math.ceil(10 * Math.max(0.1, ...far.filter(Number.isFinite))) / 10;
      setText(
        scale,
        `How far each mean is moved, in standard deviations as tested, from −${limit} to +${limit}`,
      );
      const rows = margins.slice(0, MOST).map(({ feature, words, smd }) => {
        const stem = html("span", { class: "ts-way-stem" });
        const dot = html("span", { class: "ts-pair-dot" });
        const track = html("span", {
          class: "ts-pair-track ts-is-first ts-love-track",
          "aria-hidden": "true",
        });
        track.append(stem, dot);
        const until = 50 + (50 * smd) / limit / 1.04;
        dot.hidden = stem.hidden = !Number.isFinite(smd);
        dot.style.left = `${until.toFixed(2)}%`;
        stem.style.left = `${Math.min(50, until).toFixed(2)}%`;
        stem.style.width = `${Math.abs(until - 50).toFixed(2)}%`;
        const numbers = html("span", { class: "ts-number", title: words }, signed(smd));
        return html(
          "li",
          { class: "ts-love-row" },
          createName("ts-love-name", feature, feature, LETTERS_KEPT),
          track,
          numbers,
        );
      });
      list.replaceChildren(...rows);
      table.refresh();
    },
  };
}
