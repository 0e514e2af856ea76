/** The parts of the panel in their places, updated together. */

import { html } from "../../../marks/element";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import { createAttack } from "./attack";
import { createChart } from "./chart";
import type { Context, Part, View } from "./context";
import { createEpsilon } from "./epsilon";
import { createGroupWords } from "./groups";
import { createLegend } from "./legend";
import { createPickers } from "./pickers";
import { createPopulation } from "./population";
import { createProgress } from "./progress";
import { spokenWords } from "./reading";
import { createReliability } from "./reliability";
import { titleOf } from "./words";

export function createPanel(context: Context): Part {
  const population = createPopulation(context);
  const pickers = createPickers(context);
  const progress = createProgress(context);
  const chart = createChart(context);
  const groups = createGroupWords(context);
  const trust = createReliability(context);
  const legend = createLegend(context);
  const epsilon = createEpsilon(context);
  const attack = createAttack(context);
  const announcer = createAnnouncer((view: View) => spokenWords(context.message, view), context.signal);
  const parts: readonly Part[] = [
    population,
    pickers,
    progress,
    chart,
    groups,
    trust,
    legend,
    epsilon,
    attack,
    announcer,
  ];
  const twoWords = html(
    "p",
    { class: "ts-quiet", "data-testid": "two-words" },
    "Of two features no band is drawn: choose one to see how far its effect can be bent.",
  );
  const side = html(
    "section",
    { class: "ts-side", "aria-label": "How far can it be bent?" },
    html("h3", {}, "How far can it be bent?"),
    trust.element,
    twoWords,
    epsilon.element,
    legend.element,
    attack.element,
  );
  const middle = [pickers, progress, chart, groups].map(({ element }) => element);
  const main = html("section", { class: "ts-main" }, ...middle);
  return {
    element: html(
      "div",
      { class: "ts-effect-panel" },
      createTitle(...titleOf(context.message)),
      population.element,
      main,
      side,
      announcer.element,
    ),
    update(view, before) {
      const two = view.shown.part.axes.length === 2;
      epsilon.element.hidden = two;
      twoWords.hidden = !two;
      for (const part of parts) part.update(view, before);
    },
  };
}
