/** The parts of the panel in their places, updated together. */

import { axis, finiteExtent } from "../../../marks/axis";
import { createDetails } from "../../../marks/details";
import { html, setText, showText, svg } from "../../../marks/element";
import { rowHead, tableHead } from "../../../marks/table";
import { count } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { Answer } from "../../../wire/boundary/boundary";
import type { BoundaryMessage, BoundaryProjectionMessage } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { createAnnouncer } from "../../shared/announcer";
import { createLate, lateWords, rowWords } from "../../shared/late";
import { markLevel } from "../../shared/reliability";
import { createTitle } from "../../shared/title";
import { createBars } from "./bars";
import type { Context, Part, View } from "./context";
import { createEdited } from "./edited";
import { createPictures } from "./pictures";
import { createRows } from "./rows";
import { createSearch } from "./search";
import { createTable } from "./table";
import { createTabs } from "./tabs";
import { createWalk, walkedWords } from "./walk";
import { createWords } from "./words";

/** How far the explanation can be relied on, in words; the figures behind them, and what has to be known. */
function createReliability(_: Context): Part {
  const level = html("b");
  const reasons = html("ul", { class: "ts-reasons" });
  const verdict = html("div", { "data-testid": "reliability" }, html("p", {}, level), reasons);
  const notes = html("ul", { class: "ts-notes ts-quiet" });
  const figures = html("tbody");
  const head = tableHead("figure", "value", "what it is");
  const table = html("table", { class: "ts-figures" }, head, figures);
  const details = createDetails("details", table);
  details.dataset.testid = "details";
  const element = html(
    "section",
    { class: "ts-trust", "aria-label": "How far can the explanation be relied on?" },
    verdict,
    notes,
    details,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.classList.toggle("ts-is-stale", stale);
      if (drawn === answer) return;
      drawn = answer;
      const { reliability } = answer;
      setText(level, reliability.words);
      markLevel(verdict, LEVELS.indexOf(reliability.level) as Level);
      reasons.replaceChildren(...reliability.reasons.map((reason) => html("li", {}, reason)));
      reasons.hidden = reliability.reasons.length === 0;
      verdict.hidden = reliability.words === "";
      notes.replaceChildren(...answer.notes.map((note) => html("li", {}, note)));
      notes.hidden = answer.notes.length === 0;
      figures.replaceChildren(
        ...answer.diagnostics.map(({ label, value, words: gloss }) =>
          html(
            "tr",
            {},
            rowHead(label),
            html("td", {}, value),
            html("td", { class: "ts-quiet ts-gloss" }, gloss),
          ),
        ),
      );
      details.hidden = answer.diagnostics.length === 0;
    },
  };
}

const { width, height, edge, radius } = sizes.projection;

function drawPoints({ first, second, flipped }: BoundaryProjectionMessage): SVGCircleElement[] {
  const x = axis(finiteExtent([first]), [edge, width - edge]);
  const y = axis(finiteExtent([second]), [height - edge, edge]);
  return first.map((value, k) =>
    svg("circle", {
      class: flipped[k] ? "ts-beyond" : "ts-own",
      cx: x.at(value).toFixed(1),
      cy: y.at(second[k] as number).toFixed(1),
      r: radius,
    }),
  );
}

/** The sample around the flip on the two components that were fitted to it. */
function createProjection(_: Context): Part {
  const picture = svg("svg", { class: "ts-projection", role: "img", viewBox: `0 0 ${width} ${height}` });
  const words = html("p", { class: "ts-quiet ts-gloss", "data-testid": "projection" });
  const title = html("h3", {}, "The sample on two components");
  const element = html("section", { "aria-label": "Sample on two components" }, title, words);
  title.after(picture);
  let drawn: BoundaryProjectionMessage | null = null;
  return {
    element,
    update({ answer, stale }) {
      const { projection } = answer;
      element.hidden = projection === null;
      element.classList.toggle("ts-is-stale", stale);
      if (projection === null || projection === drawn) return;
      drawn = projection;
      setText(words, `${projection.words} (filled).`);
      picture.setAttribute("aria-label", projection.words);
      picture.replaceChildren(...drawPoints(projection));
    },
  };
}

function lateWordsOf(message: BoundaryMessage, { row, target }: View["state"], progress: View["progress"]) {
  const wanted = `${rowWords(row)}${target ? ` towards ${target}` : ""}`;
  const far = `, ${count(progress?.n_model_rows ?? 0)} model rows so far`;
  return lateWords(message, wanted, progress, "There is no boundary", far);
}

/** What was found, before anything else: the sentence, how its lower bound was found, and what was tried in vain. */
function createHeadline({ message }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const certificate = html("p", { class: "ts-quiet", "data-testid": "certificate" });
  const status = html("p", { class: "ts-notice", "data-testid": "status" });
  const late = createLate();
  const element = html("header", { class: "ts-headline" }, sentence, certificate, status, ...late.elements);
  return {
    element,
    update({ answer, stale, state, progress }) {
      setText(sentence, answer.headline);
      showText(certificate, answer.certificate);
      showText(status, answer.status);
      element.classList.toggle("ts-is-found", answer.found);
      element.classList.toggle("ts-is-stale", stale);
      const words = stale ? lateWordsOf(message, state, progress) : "";
      late.update(words, answer.row, (progress?.error ?? "") !== "");
    },
  };
}

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
  const announcer = createAnnouncer(signal, spokenWords);
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
  const main = html("div", { class: "ts-main" }, tabs, table, edited, search);
  const side = html("div", { class: "ts-side" }, walk, bars, projection, trust);
  return {
    element: html(
      "div",
      { class: "ts-boundary-panel" },
      createTitle(message.title, message.model),
      rows,
      headline,
      html("div", { class: "ts-sights" }, pictures, words),
      main,
      side,
      announcer,
    ),
    update(view, before) {
      for (const part of parts) part.update(view, before);
    },
  };
}
