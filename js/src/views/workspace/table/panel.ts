/** The parts of the panel in their places, updated together. */

import { html } from "../../../marks/element";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { createGrid } from "./grid";
import { createPopulation } from "./population";
import { createScatter } from "./scatter";
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
  const scatter = createScatter(context);
  const keys = html("p", { class: "ts-quiet ts-gloss" }, KEYS);
  const announcer = createAnnouncer(
    (view: DerivedView) => [scatter.spoken(), spokenWords(view, message)].filter(Boolean).join(". "),
    context.signal,
  );
  const notes = message.notes.map((note) => html("p", { class: "ts-quiet ts-gloss" }, note));
  const parts = [population, toolbar, grid, scatter, announcer];
  return {
    element: html(
      "div",
      { class: "ts-table-panel" },
      createTitle(message.title, message.model),
      population.element,
      toolbar.element,
      grid.element,
      keys,
      scatter.element,
      ...notes,
      announcer.element,
    ),
    update(view, before) {
      const isScatter = view.state.display === "scatter";
      grid.element.hidden = keys.hidden = isScatter;
      scatter.element.hidden = !isScatter;
      for (const part of parts) part.update(view, before);
    },
  };
}
