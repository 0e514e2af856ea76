/** The parts of the panel in their places, updated together. */

import { html } from "../../../marks/element";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import { createBars } from "./bars";
import type { Context, Part, View } from "./context";
import { createEdited } from "./edited";
import { createHeadline } from "./headline";
import { createPictures } from "./pictures";
import { createProjection } from "./projection";
import { createReliability } from "./reliability";
import { createRows } from "./rows";
import { createSearch } from "./search";
import { createTable } from "./table";
import { createTabs } from "./tabs";
import { createWalk, walkedWords } from "./walk";
import { createWords } from "./words";

/** What a screen reader is told once the view has come to rest. */
export function spokenWords(view: View): string {
  const { answer, stale, progress } = view;
  if (progress?.error) return "";
  if (stale) return progress?.doing ?? "";
  return [answer.headline, walkedWords(view)].filter(Boolean).join(" ");
}

export function createPanel(context: Context): Part {
  const { message, signal } = context;
  const rows = createRows(context);
  const headline = createHeadline(context);
  const pictures = createPictures(context);
  const words = createWords(context);
  const tabs = createTabs(context);
  const table = createTable(context);
  const edited = createEdited(context);
  const search = createSearch(context);
  const walk = createWalk(context);
  const bars = createBars(context);
  const projection = createProjection(context);
  const trust = createReliability(context);
  const announcer = createAnnouncer(spokenWords, signal);
  const parts: readonly Part[] = [
    rows,
    headline,
    pictures,
    words,
    tabs,
    table,
    edited,
    search,
    walk,
    bars,
    projection,
    trust,
    announcer,
  ];
  const main = html("div", { class: "ts-main" }, tabs.element, table.element, edited.element, search.element);
  const side = html(
    "div",
    { class: "ts-side" },
    walk.element,
    bars.element,
    projection.element,
    trust.element,
  );
  return {
    element: html(
      "div",
      { class: "ts-boundary-panel" },
      createTitle(message.title, message.model),
      rows.element,
      headline.element,
      html("div", { class: "ts-sights" }, pictures.element, words.element),
      main,
      side,
      announcer.element,
    ),
    update(view, before) {
      for (const part of parts) part.update(view, before);
    },
  };
}
