/** The parts of the panel in their places, updated together. */

import { axis, finiteExtent } from "../../../marks/axis";
import { createButton, switchOff } from "../../../marks/button";
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
import { alike } from "../../shared/loop";
import { grouped } from "../../shared/part";
import { markLevel } from "../../shared/reliability";
import { createTitle } from "../../shared/title";
import { counted } from "../../shared/words";
import { createBars } from "./bars";
import type { Context, Part, View } from "./context";
import { createPictures } from "./pictures";
import { createRows } from "./rows";
import { isSearched } from "./state";
import { createTable } from "./table";
import { createTabs } from "./tabs";
import { createWalk, walkedWords } from "./walk";
import { createWords } from "./words";

function heldWords({ fixed, bounds }: View["state"]): string {
  const locked = fixed.length > 0 ? [`${count(fixed.length)} locked`] : [];
  const free = Object.keys(bounds).filter((name) => !fixed.includes(name)).length;
  const bounded = free > 0 ? [`${count(free)} bounded`] : [];
  return [...locked, ...bounded].join(", ");
}

/** Another search under the constraints chosen: how many rows the model was asked about, a way to stop, what failed. */
function createSearch({ message, intend, search, stop, signal }: Context): Part {
  const button = createButton({ "data-testid": "search-again" }, [], signal, (event) =>
    busy ? cancel(event) : search(),
  );
  const free = createButton(
    { class: "ts-more", "data-testid": "free" },
    "free all features",
    signal,
    (event) => intend({ fixed: [], bounds: {} }, event),
  );
  const words = html("span", { class: "ts-quiet", role: "status", "data-testid": "progress" });
  const problem = html("p", { class: "ts-problem", role: "alert", "data-testid": "problem" });
  let busy = false;
  let view: View | null = null;
  /** Stop, and go back to what is shown where another row or class was on its way. */
  const cancel = (event: Event) => {
    stop();
    if (!view?.stale) return;
    const { row, target, fixed, bounds } = view.answer;
    intend({ row, target, fixed, bounds }, event);
  };
  button.disabled = !message.live;
  return {
    element: html("div", { class: "ts-search-again" }, button, words, free, problem),
    update(now) {
      view = now;
      const { state, answer, progress, stale } = now;
      busy = (progress?.doing ?? "") !== "";
      const waiting = !isSearched(answer, state);
      button.classList.toggle("ts-is-waiting", waiting && !busy);
      setText(button, busy ? "Cancel" : "Search again");
      const held = heldWords(state);
      free.hidden = !message.live || held === "";
      const asked = `${count(answer.n_model_rows)} model rows`;
      if (busy && progress)
        setText(words, `${progress.doing}, ${count(progress.n_model_rows)} model rows so far…`);
      else if (!message.live) setText(words, `${asked}. ${message.offline}`);
      else if (waiting) setText(words, `${held || "nothing held"}; not searched yet`);
      else setText(words, held ? `${asked}, ${held}` : asked);
      showText(problem, stale ? "" : (progress?.error ?? ""));
    },
  };
}

function triedWords({ state: { edits } }: View): string {
  const n = Object.keys(edits).length;
  return `${counted(n, "value")} tried`;
}

/** What the kernel said of these very edits; null while it has not, or if it ended before. */
function answerOf({ state, decision }: View): View["decision"] {
  const isAsked = decision?.row === state.row && alike(decision.edits, state.edits);
  const isSaid = decision?.doing === "" && (decision.sentence !== "" || decision.error !== "");
  return isAsked && isSaid ? decision : null;
}

/** What the kernel decides for the row as edited, the way back, and the way to inspect it. */
function createEdited({ message, intend, inspect, signal }: Context): Part {
  const sentence = html("p", { role: "status", hidden: true, "data-testid": "decision" });
  const words = html("span", { class: "ts-quiet", "data-testid": "decision-cost" });
  const take = createButton({ "data-testid": "inspect" }, "Inspect this row", signal, inspect);
  const back = createButton({ class: "ts-more", "data-testid": "own-values" }, [], signal, (event) =>
    intend({ edits: {} }, event),
  );
  const problem = html("p", { class: "ts-problem", role: "alert", "data-testid": "decision-problem" });
  const element = html(
    "section",
    { class: "ts-edited", "aria-label": "The row with other values" },
    sentence,
    html("div", { class: "ts-edited-line" }, take, back, words),
    problem,
  );
  return {
    element,
    update(view) {
      const { state, decision, progress } = view;
      element.hidden = Object.keys(state.edits).length === 0;
      const answer = answerOf(view);
      const error = answer?.error ?? "";
      if (answer || element.hidden) showText(sentence, answer?.sentence ?? "");
      sentence.classList.toggle("ts-is-stale", !answer);
      element.classList.toggle("ts-is-flipped", answer?.flipped ?? false);
      const asked = answer?.n_model_rows ? `, ${count(answer.n_model_rows)} model rows` : "";
      const doing = message.live
        ? `${decision?.doing || "The kernel is asked"}…`
        : `Not decided. ${message.offline}`;
      setText(words, triedWords(view) + asked + (answer ? "" : `. ${doing}`));
      setText(back, answer || !message.live ? "back to the row's values" : "Cancel");
      showText(problem, error);
      switchOff(take, !message.live || !answer || error !== "" || (progress?.doing ?? "") !== "");
    },
  };
}

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
  const within = (name: string, ...creates: ((of: Context) => Part)[]) =>
    grouped("div", { class: name }, ...creates.map((create) => create(context)));
  return grouped(
    "div",
    { class: "ts-boundary-panel" },
    createTitle(message.title, message.model),
    createRows(context),
    createHeadline(context),
    within("ts-sights", createPictures, createWords),
    within("ts-main", createTabs, createTable, createEdited, createSearch),
    within("ts-side", createWalk, createBars, createProjection, createReliability),
    createAnnouncer(signal, spokenWords),
  );
}
