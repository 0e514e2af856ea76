/** The parts of the panel in their places, updated together. */

import { html } from "../../../marks/element";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { createGrid } from "./grid";
import { createPopulation } from "./population";
import { createToolbar } from "./toolbar";
import { spokenWords } from "./words";

const KEYS =
  "Click a row, or walk with the arrow keys, to look at it in linked views. Select more with Ctrl or Shift and a click, " +
  "with the space bar, or Shift and the arrow keys.";

export function createPanel(context: Context): Part {
  const { message } = context.data;
  const population = createPopulation(context);
  const toolbar = createToolbar(context);
  const grid = createGrid(context);
  const announcer = createAnnouncer((view: DerivedView) => spokenWords(view, message), context.signal);
  const notes = message.notes.map((note) => html("p", { class: "ts-quiet ts-gloss" }, note));
  const parts = [population, toolbar, grid, announcer];
  return {
    element: html(
      "div",
      { class: "ts-table-panel" },
      createTitle(message.title, message.model),
      population.element,
      toolbar.element,
      grid.element,
      html("p", { class: "ts-quiet ts-gloss" }, KEYS),
      ...notes,
      announcer.element,
    ),
    update(view, before) {
      for (const part of parts) part.update(view, before);
    },
  };
}
