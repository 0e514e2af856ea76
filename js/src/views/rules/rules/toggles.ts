/** Levels of a rule as cells to switch, and missing values as one more; the row's own stays. */

import { createButton } from "../../../marks/button";
import { html } from "../../../marks/element";
import type { Side } from "../../../solve/rules/count";
import type { Axis } from "../../../wire/rules/rules";
import type { Control } from "./edges";
import { grownSide, ownCell } from "./state";

/** @param move called with the axis as a person wants it */
export function createToggles(
  axis: Axis,
  move: (side: Side, event: Event) => void,
  signal: AbortSignal,
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
      (event) => move(press(), event),
      signal,
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
