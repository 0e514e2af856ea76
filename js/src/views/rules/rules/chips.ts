/** The minimal sets, of which one is shown: a group of buttons; arrow keys choose. */

import { createButton } from "../../../marks/button";
import { html, listen, reconcile, setText, showText } from "../../../marks/element";
import { memoize } from "../../shared/memoize";
import type { Context, Part } from "./context";

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function createChips({ intend, signal }: Context): Part {
  const group = html("div", {
    class: "ts-chips",
    role: "radiogroup",
    "aria-label": "Minimal sets of features",
    "data-testid": "sets",
  });
  const more = html("p", { class: "ts-quiet", "data-testid": "more" });
  const choose = (rule: number, event: Event) => intend({ rule, moved: null }, event);
  const chipOf = memoize((rule: number) => {
    const chip = createButton({ role: "radio", class: "ts-chip" }, [], signal, (event) =>
      choose(rule, event),
    );
    return chip;
  });
  let [at, n] = [0, 0];
  listen(group, "keydown", signal, (event) => {
    const by = STEPS[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = (at + by + n) % n;
    choose(next, event);
    chipOf(next).focus();
  });
  const title = html("h3", {}, "Values that suffice");
  const element = html("section", { class: "ts-sets", "aria-label": "Minimal sets" }, title, group, more);
  return {
    element,
    update({ answer, place, stale, stress }) {
      [at, n] = [place, answer.rules.length];
      element.hidden = n === 0;
      element.classList.toggle("ts-is-stale", stale);
      const chips = answer.rules.map(({ name }, rule) => {
        const chip = chipOf(rule);
        const below = (stress.now?.rules[rule]?.below ?? "") !== "";
        setText(chip, below ? `${name} (below π)` : name);
        chip.classList.toggle("ts-is-below", below);
        chip.setAttribute("aria-checked", String(rule === place));
        chip.tabIndex = rule === place ? 0 : -1;
        return chip;
      });
      reconcile(group, chips);
      showText(more, answer.more);
    },
  };
}
