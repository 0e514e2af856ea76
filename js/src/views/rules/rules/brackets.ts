/** The rule, a line for each feature: the condition in words, and the edges or levels that a person can move. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText } from "../../../marks/element";
import type { Side } from "../../../solve/rules/count";
import type { Axis, Rule } from "../../../wire/rules/rules";
import type { Context, Part } from "./context";
import { createEdges } from "./edges";
import { grownSide, moveSide, sameSide } from "./state";
import { createToggles } from "./toggles";
import { conditionWords } from "./words";

interface Line {
  readonly element: HTMLElement;
  update(side: Side): void;
}

function createLine(axis: Axis, move: (side: Side, event: Event) => void, signal: AbortSignal): Line {
  const words = html("span", { class: "ts-condition", "data-testid": "condition" });
  const own = html("span", { class: "ts-quiet ts-own" }, `the row: ${axis.value_words}`);
  const controls = [
    ...(axis.kind === "number" ? [createEdges(axis, move, signal)] : []),
    createToggles(axis, move, signal),
  ];
  const head = html("div", { class: "ts-line-head" }, words, own);
  return {
    element: html("li", { class: "ts-line" }, head, ...controls.map(({ element }) => element)),
    update(side) {
      setText(words, conditionWords(axis, side));
      words.classList.toggle("ts-accent", !sameSide(side, grownSide(axis)));
      for (const control of controls) control.update(side);
    },
  };
}

export function createBrackets({ intend, signal }: Context): Part {
  const list = html("ul", { class: "ts-lines", "data-testid": "rule" });
  const back = createButton(
    { "data-testid": "back" },
    "Back to the rule",
    (event) => intend({ moved: null }, event),
    signal,
  );
  const element = html(
    "section",
    { class: "ts-brackets", "aria-label": "The rule" },
    html("h3", {}, "How far they can move"),
    list,
    back,
  );
  let drawn: Rule | null = null;
  let lines: readonly Line[] = [];
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
