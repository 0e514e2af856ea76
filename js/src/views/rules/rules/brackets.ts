/** The rule, a line for each feature: the condition in words, and the edges or levels that a person can move. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import type { Side } from "../../../solve/rules/count";
import type { RuleAxisMessage } from "../../../wire/messages";
import type { Rule } from "../../../wire/rules/rules";
import type { Context, Part } from "./context";
import { type Control, createEdges } from "./edges";
import { grownSide, moveSide, ownCell, sameSide } from "./state";
import { conditionWords } from "./words";

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
