/** The parts of the panel in their places, updated together. */

import { html, setText } from "../../../marks/element";
import { createAnnouncer } from "../../shared/announcer";
import { createTitle } from "../../shared/title";
import { createBrackets } from "./brackets";
import { createChips } from "./chips";
import type { Context, Part, View } from "./context";
import { createDistribution } from "./distribution";
import { createHeadline, headlineWords } from "./headline";
import { createImportance } from "./importance";
import { createNumbers, numbersWords } from "./numbers";
import { createPicker } from "./picker";
import { createRowsInside } from "./rows_inside";
import { createStress, stressWords } from "./stress";
import { createSubsets } from "./subsets";

/** What a screen reader is told once the view has come to rest. */
export function spokenWords(view: View): string {
  if (view.stale) return view.progress?.doing ?? "";
  return [headlineWords(view), stressWords(view), numbersWords(view)].filter(Boolean).join(" ");
}

function createNotes(): Part {
  const element = html("div", { class: "ts-notes ts-quiet", "data-testid": "notes" });
  return {
    element,
    update({ answer, stale }) {
      element.classList.toggle("ts-is-stale", stale);
      const notes = answer.notes.map((note, k) => {
        const line = element.children[k] ?? html("p");
        setText(line, note);
        return line;
      });
      element.replaceChildren(...notes);
    },
  };
}

/** Of what is drawn without the stress, that it is. */
function createUnweighted(): Part {
  const text = "From here on, as in the headline: the data as they are, without the stress.";
  const element = html("p", { class: "ts-unweighted ts-quiet", "data-testid": "unweighted" }, text);
  return {
    element,
    update({ stress }) {
      element.hidden = stress.now === null;
    },
  };
}

export function createPanel(context: Context): Part {
  const picker = createPicker(context);
  const stress = createStress(context);
  const headline = createHeadline(context);
  const chips = createChips(context);
  const brackets = createBrackets(context);
  const numbers = createNumbers(context);
  const importance = createImportance(context);
  const distribution = createDistribution(context);
  const subsets = createSubsets(context);
  const rows = createRowsInside(context);
  const notes = createNotes();
  const announcer = createAnnouncer(spokenWords, context.signal);
  const unweighted = createUnweighted();
  const parts: readonly Part[] = [
    picker,
    stress,
    headline,
    chips,
    brackets,
    numbers,
    unweighted,
    subsets,
    distribution,
    importance,
    rows,
    notes,
    announcer,
  ];
  const side = (where: "ts-main" | "ts-side", ...own: Part[]) =>
    html("div", { class: where }, ...own.map((part) => part.element));
  return {
    element: html(
      "div",
      { class: "ts-rules-panel" },
      createTitle(context.message.title, context.message.model),
      picker.element,
      stress.element,
      headline.element,
      side("ts-main", chips, brackets),
      side("ts-side", numbers),
      unweighted.element,
      side("ts-main", subsets),
      side("ts-side", distribution, importance),
      rows.element,
      notes.element,
      announcer.element,
    ),
    update(view, before) {
      for (const part of parts) part.update(view, before);
    },
  };
}
