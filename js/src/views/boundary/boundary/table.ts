/** The row, its nearest flip and the rival side by side, the changes that matter first; a click locks or bounds. */

import { createButton } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import { columnHead, rowHead } from "../../../marks/table";
import { count } from "../../../theme/formats";
import type { Answer } from "../../../wire/boundary/boundary";
import { counted } from "../../shared/words";
import { createConstraint } from "./constraint";
import type { Context, Part, View } from "./context";
import { changeWords, lengthWords, valueWords } from "./values";

type Line = {
  readonly place: number;
  readonly elements: readonly HTMLTableRowElement[];
  open(): void;
  update(view: View): void;
};

/** One feature: its cells, and the line below in which it is locked or bounded. */
function createLine(context: Context, answer: Answer, place: number): Line {
  const feature = answer.features[place];
  if (!feature) throw new Error(`no feature ${place}`);
  const { found, path } = answer;
  const constraint = createConstraint(context, feature);
  const marks = html("span", { class: "ts-quiet ts-mark" });
  const change = changeWords(feature, feature.start, feature.point);
  const flip = html("td", { class: feature.changed ? "ts-accent" : "" });
  if (found) {
    flip.append(html(feature.changed ? "b" : "span", {}, valueWords(feature, feature.point)));
    if (change && feature.changed) flip.append(html("small", {}, change));
  }
  const rival = answer.rival_row === null ? "" : valueWords(feature, feature.rival);
  const walked = html("td", { class: "ts-walked" });
  const moves = path?.moving.includes(place) ?? false;
  const row = html(
    "tr",
    {},
    rowHead(feature.name, marks),
    html("td", {}, constraint.button, constraint.edited),
    flip,
    walked,
    html("td", { class: "ts-rival" }, rival),
  );
  return {
    place,
    elements: [row, constraint.element],
    open: constraint.open,
    update(view) {
      constraint.update(view.state);
      setText(marks, constraint.words());
      const value = moves && path ? path.value(place, view.step) : feature.start;
      setText(walked, path ? valueWords(feature, value) : "");
      const stays = value === feature.start || (value !== null && Math.fround(feature.start ?? 0) === value);
      walked.classList.toggle("ts-quiet", stays);
    },
  };
}

export function createTable(context: Context): Part {
  const head = html("thead");
  const changed = html("tbody");
  const unchanged = html("tbody", { hidden: true });
  const caption = html("caption", { class: "ts-hidden" });
  const table = html(
    "table",
    { class: "ts-changes", "data-testid": "changes" },
    caption,
    head,
    changed,
    unchanged,
  );
  const fold = createButton(
    { class: "ts-more", "aria-expanded": "false", "data-testid": "unchanged" },
    [],
    context.signal,
    () => unfold(),
  );
  const holder = html("div", {
    class: "ts-changes-holder",
    tabindex: 0,
    role: "group",
    "aria-label": "Values of this row, of its flip and of the rival",
  });
  holder.append(table);
  const walkedHead = columnHead("");
  let lines: readonly Line[] = [];
  let drawn: Answer | null = null;
  let last: View | null = null;
  let folded: readonly number[] = [];
  let zeros = 0;

  const unfold = () => {
    const open = unchanged.hidden;
    unchanged.hidden = !open;
    fold.setAttribute("aria-expanded", String(open));
    if (open && drawn && unchanged.childElementCount === 0) {
      const answer = drawn;
      const more = folded.map((place) => createLine(context, answer, place));
      unchanged.append(...more.flatMap(({ elements }) => elements));
      lines = [...lines, ...more];
      if (last) for (const line of more) line.update(last);
    }
  };

  /** Show a feature's line wherever it stands, or add one, and wait there for another value. */
  const reveal = (view: View, name: string) => {
    const place = view.answer.features.findIndex((feature) => feature.name === name);
    if (place < 0) return;
    if (folded.includes(place) && unchanged.hidden) unfold();
    const there = lines.find((line) => line.place === place);
    const line = there ?? createLine(context, view.answer, place);
    if (!there) {
      lines = [...lines, line];
      changed.append(...line.elements);
      line.update(view);
      zeros--;
      setText(fold, foldWords(view.answer, folded, zeros));
    }
    line.open();
  };

  const draw = (answer: Answer) => {
    const open = !unchanged.hidden;
    drawn = answer;
    const places = answer.features.map((_, place) => place);
    const first = places.filter((place) => isShown(answer, place));
    const absent = places.filter((place) => isZero(answer, place) && !first.includes(place));
    zeros = absent.length + answer.n_more_zero;
    folded = places.filter((place) => !first.includes(place) && !absent.includes(place));
    lines = first.map((place) => createLine(context, answer, place));
    changed.replaceChildren(...lines.flatMap(({ elements }) => elements));
    unchanged.replaceChildren();
    unchanged.hidden = true;
    const { labels, rival_row: rival } = answer;
    const column = (name: string, words: string, rest = "") => {
      const made = columnHead(name, { class: rest });
      made.append(html("small", {}, words));
      return made;
    };
    head.replaceChildren(
      html(
        "tr",
        {},
        columnHead("feature"),
        column(answer.row < 0 ? "row given" : `row ${count(answer.row)}`, labels.start),
        answer.found ? column("nearest flip", labels.point) : columnHead("nearest flip"),
        walkedHead,
        rival === null
          ? columnHead("", { class: "ts-rival" })
          : column(`rival, row ${count(rival)}`, labels.rival, "ts-rival"),
      ),
    );
    setText(
      caption,
      `${answer.row < 0 ? "The row given" : `Row ${answer.row}`}, its nearest flip and the rival it was searched from`,
    );
    setText(fold, foldWords(answer, folded, zeros));
    fold.hidden = folded.length + answer.n_more + zeros === 0;
    fold.disabled = folded.length === 0;
    fold.setAttribute("aria-expanded", "false");
    if (open && folded.length > 0) unfold();
  };

  return {
    element: html("section", { "aria-label": "What would have to change" }, holder, fold),
    update(view) {
      const { answer, step } = view;
      const { sought } = view.state;
      const isNew = last !== null && sought !== last.state.sought;
      last = view;
      if (drawn !== answer) draw(answer);
      const length = answer.path?.length[step];
      const at = length === undefined ? "" : lengthWords(answer, length);
      const words = answer.path ? "on the way" : "";
      if (walkedHead.textContent !== words + at) walkedHead.replaceChildren(words, html("small", {}, at));
      for (const line of lines) line.update(view);
      table.classList.toggle("ts-is-stale", view.stale);
      if (isNew && sought) reveal(view, sought.name);
    },
  };
}

/** Changes shown before the rest is to be opened. */
const MOST = 10;

/** The largest changes, and what was locked or bounded where that is not said of nearly everything. */
function isShown({ features, fixed, bounds }: Answer, place: number): boolean {
  const feature = features[place];
  if (!feature) return false;
  if (feature.changed && place < MOST) return true;
  const few = fixed.length + Object.keys(bounds).length <= MOST;
  return few && (fixed.includes(feature.name) || Object.hasOwn(bounds, feature.name));
}

/** Whether a feature of a row that is mostly 0 is so in the row, its flip and the rival. */
function isZero({ features, mostly_zero: mostly }: Answer, place: number): boolean {
  const feature = features[place];
  return mostly && feature?.start === 0 && !feature.point && !feature.rival;
}

/** What is folded away: "4 smaller changes, 12 unchanged". */
function foldWords(answer: Answer, folded: readonly number[], zeros: number): string {
  const { features, n_more, n_more_changed, n_more_zero } = answer;
  const listed = folded.filter((place) => features[place]?.changed).length;
  const smaller = listed + n_more_changed;
  const others = n_more - n_more_changed - n_more_zero;
  const rest = folded.length - listed + others;
  const unlisted = (n: number) => (n > 0 ? ` (${count(n)} not listed)` : "");
  const parts = [
    ...(smaller > 0 ? [`${counted(smaller, "smaller change")}${unlisted(n_more_changed)}`] : []),
    ...(rest > 0 ? [`${count(rest)} unchanged${unlisted(others)}`] : []),
    ...(zeros > 0 ? [`${count(zeros)} that are 0 in all of them`] : []),
  ];
  return parts.join(", ");
}
