/** The rule, a line for each feature: the condition in words, and the edges or levels that a person can move. */

import { createButton, switchOff } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import type { Side } from "../../../solve/rules/count";
import type { RuleAxisMessage } from "../../../wire/messages";
import type { Rule } from "../../../wire/rules/rules";
import { listenToKeys } from "../../shared/keys";
import { keyTarget } from "../../shared/slider_keys";
import type { Context, Part } from "./context";
import { grownSide, moveSide, ownCell, sameSide, spanOf, withEdge } from "./state";
import { conditionWords } from "./words";

type Edge = "lower" | "upper";

/** Steps of a slider, over the range of the rows. */
const WHOLE = 1000;

/** Where a value lies in the range of the rows, in [0, 1]. */
function shareOf({ lowest, highest }: RuleAxisMessage, value: number): number {
  return highest > lowest ? Math.min(1, Math.max(0, (value - lowest) / (highest - lowest))) : 0.5;
}

/** Where an edge of a cell stands on the track; an open one at the track's end. */
function edgeShare(axis: RuleAxisMessage, edge: Edge, cell: number): number {
  const cut = axis.cuts[edge === "lower" ? cell - 1 : cell];
  if (cut === undefined) return edge === "lower" ? 0 : 1;
  return shareOf(axis, cut);
}

/** The cells an edge can be at, so that the row stays inside. */
function reach(axis: RuleAxisMessage, side: Side, edge: Edge): readonly [number, number] {
  const [first, last] = spanOf(side);
  const own = ownCell(axis);
  if (edge === "lower") return [0, own < 0 ? last : own];
  return [own < 0 ? first : own, axis.cuts.length];
}

/** The cell whose edge stands nearest to a place on the track. */
function nearestCell(axis: RuleAxisMessage, side: Side, edge: Edge, share: number): number {
  const [least, most] = reach(axis, side, edge);
  let nearest = least;
  const off = (cell: number) => Math.abs(edgeShare(axis, edge, cell) - share);
  for (let cell = least + 1; cell <= most; cell++) if (off(cell) < off(nearest)) nearest = cell;
  return nearest;
}

/** What an edge says of itself: "≤ 28", "open". */
function edgeWords({ over, up_to, whole }: RuleAxisMessage, edge: Edge, cell: number): string {
  const words = edge === "lower" ? over[cell - 1] : up_to[cell];
  if (words === undefined) return "open";
  return edge === "lower" ? `${whole ? "≥" : ">"} ${words}` : `≤ ${words}`;
}

interface Control {
  readonly element: HTMLElement;
  update(side: Side): void;
}

/**
 * One number of a rule: a track over the range of the rows, the span as a bracket of two sliders, the row's mark.
 *
 * @param move called with the axis as a person wants it
 */
function createEdges(
  axis: RuleAxisMessage,
  signal: AbortSignal,
  move: (side: Side, event: Event) => void,
): Control {
  let side = grownSide(axis);
  const span = html("span", { class: "ts-span", "aria-hidden": "true" });
  const mark = html("span", { class: "ts-own-mark", title: `the row: ${axis.value_words}` });
  mark.hidden = axis.value === null;
  mark.style.setProperty("--ts-at", String(shareOf(axis, axis.value ?? 0)));

  const createHandle = (edge: Edge) => {
    const at = () => spanOf(side)[edge === "lower" ? 0 : 1];
    const handle = html("input", {
      type: "range",
      min: 0,
      max: WHOLE,
      step: "any",
      class: `ts-edge ts-${edge}`,
      "aria-label": `${edge} edge of ${axis.name}`,
      "data-testid": edge,
      "data-feature": axis.name,
    });
    const place = () => {
      handle.value = String(WHOLE * edgeShare(axis, edge, at()));
    };
    const go = (cell: number, event: Event) => {
      if (cell === at()) place();
      else move(withEdge(side, edge, cell), event);
    };
    listen(handle, "input", signal, (event) =>
      go(nearestCell(axis, side, edge, handle.valueAsNumber / WHOLE), event),
    );
    listenToKeys(handle, signal, (event) => {
      if (event.key === "Enter") return false;
      const [least, most] = reach(axis, side, edge);
      const grown = spanOf(grownSide(axis))[edge === "lower" ? 0 : 1];
      const next = keyTarget(event.key, at() - least, most - least, grown - least);
      if (next === null) return false;
      go(least + next, event);
      return true;
    });
    const update = () => {
      place();
      handle.setAttribute("aria-valuetext", edgeWords(axis, edge, at()));
      handle.classList.toggle("ts-is-open", edgeWords(axis, edge, at()) === "open");
    };
    return { handle, update };
  };
  const lower = createHandle("lower");
  const upper = createHandle("upper");
  const track = html("div", { class: "ts-edges" }, span, mark, lower.handle, upper.handle);
  const least = html("span", {}, axis.lowest_words);
  const most = html("span", {}, axis.highest_words);
  const ends = html("div", { class: "ts-ends ts-quiet", "aria-hidden": "true" }, least, most);
  return {
    element: html("div", { class: "ts-track" }, track, ends),
    update(next) {
      side = next;
      const [first, last] = spanOf(side);
      const empty = first > last;
      for (const { handle, update } of [lower, upper]) {
        handle.hidden = empty;
        if (!empty) update();
      }
      span.hidden = empty;
      span.style.setProperty("--ts-from", String(edgeShare(axis, "lower", first)));
      span.style.setProperty("--ts-upto", String(edgeShare(axis, "upper", last)));
      setText(least, axis.lowest_words);
    },
  };
}

/**
 * Levels of a rule as cells to switch, and missing values as one more; the row's own stays.
 *
 * @param move called with the axis as a person wants it
 */
function createToggles(
  axis: RuleAxisMessage,
  signal: AbortSignal,
  move: (side: Side, event: Event) => void,
): Control {
  let side = grownSide(axis);
  const own = ownCell(axis);
  const toggle = (words: string, isOwn: boolean, press: () => Side) => {
    const button = createButton(
      {
        class: isOwn ? "ts-cell ts-is-own" : "ts-cell",
        disabled: isOwn,
        title: isOwn ? "the row's own" : undefined,
        "data-testid": "level",
        "data-feature": axis.name,
      },
      words,
      signal,
      (event) => move(press(), event),
    );
    return button;
  };
  const switched = (code: number): Side => ({
    ...side,
    inside: side.inside.map((is, at) => (at === code ? !is : is)),
  });
  const levels = axis.levels.map((level, code) => toggle(level, code === own, () => switched(code)));
  const missing = toggle("missing", own < 0, () => ({ ...side, missing: !side.missing }));
  missing.hidden = !axis.can_miss;
  const element = html(
    "div",
    { class: "ts-cells", role: "group", "aria-label": `Values of ${axis.name}` },
    ...levels,
    missing,
  );
  element.hidden = levels.length === 0 && !axis.can_miss;
  return {
    element,
    update(next) {
      side = next;
      levels.forEach((level, code) => {
        level.setAttribute("aria-pressed", String(side.inside[code] ?? false));
      });
      missing.setAttribute("aria-pressed", String(side.missing));
    },
  };
}

function createLine(
  axis: RuleAxisMessage,
  move: (side: Side, event: Event) => void,
  signal: AbortSignal,
): Control {
  const words = html("span", { class: "ts-condition", "data-testid": "condition" });
  const own = html("span", { class: "ts-quiet ts-own" }, `the row: ${axis.value_words}`);
  const controls = [
    ...(axis.kind === "number" ? [createEdges(axis, signal, move)] : []),
    createToggles(axis, signal, move),
  ];
  const head = html("div", { class: "ts-line-head" }, words, own);
  return {
    element: html("li", { class: "ts-line" }, head, ...controls),
    update(side) {
      setText(words, conditionWords(axis, side));
      words.classList.toggle("ts-accent", !sameSide(side, grownSide(axis)));
      for (const control of controls) control.update(side);
    },
  };
}

export function createBrackets({ intend, signal }: Context): Part {
  const list = html("ul", { class: "ts-lines", "data-testid": "rule" });
  const back = createButton({ "data-testid": "back" }, "Back to the rule", signal, (event) =>
    intend({ moved: null }, event),
  );
  const element = html(
    "section",
    { class: "ts-brackets", "aria-label": "The rule" },
    html("h3", {}, "How far they can move"),
    list,
    back,
  );
  let drawn: Rule | null = null;
  let lines: readonly Control[] = [];
  let moved: Parameters<Part["update"]>[0]["state"]["moved"] = null;
  return {
    element,
    update({ shown, state, stale }) {
      element.hidden = shown === null;
      element.classList.toggle("ts-is-stale", stale);
      if (!shown) return;
      moved = state.moved;
      const { rule, sides, counts } = shown;
      if (drawn !== rule) {
        drawn = rule;
        lines = rule.axes.map((axis, place) =>
          createLine(
            axis,
            (side, event) => intend({ moved: moveSide(rule, moved, place, side) }, event),
            signal,
          ),
        );
        list.replaceChildren(...lines.map((line) => line.element));
      }
      lines.forEach((line, place) => {
        line.update(sides[place] as Side);
      });
      switchOff(back, counts === null);
    },
  };
}
