/** Several answers to one question: classes to flip to, which the kernel searches; regions, which came along. */

import { createButton } from "../../../marks/button";
import { html, listen, reconcile, setText } from "../../../marks/element";
import { memoize } from "../../shared/memoize";
import type { Context, Part } from "./context";

/** Tabs of which one has the focus; arrow keys move it and choose. */
function createStrip(
  label: string,
  testid: string,
  signal: AbortSignal,
  choose: (place: number, event: Event) => void,
) {
  const element = html("div", {
    class: "ts-tabs",
    role: "tablist",
    "aria-label": label,
    "data-testid": testid,
  });
  const tabOf = memoize((place: number) => {
    const tab = createButton({ role: "tab", class: "ts-tab" }, [], signal, (event) => choose(place, event));
    return tab;
  });
  let [at, n] = [0, 0];
  listen(element, "keydown", signal, (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || tabOf(0).disabled) return;
    event.preventDefault();
    const next = (at + by + n) % n;
    choose(next, event);
    tabOf(next).focus();
  });
  return {
    element,
    show(names: readonly string[], chosen: number, off: boolean) {
      [at, n] = [chosen, names.length];
      element.hidden = n < 2;
      const tabs = names.map((name, place) => {
        const tab = tabOf(place);
        setText(tab, name);
        tab.setAttribute("aria-selected", String(place === chosen));
        tab.tabIndex = place === chosen ? 0 : -1;
        tab.disabled = off && place !== chosen;
        return tab;
      });
      reconcile(element, tabs);
    },
  };
}

export function createTabs({ message, intend, signal }: Context): Part {
  let targets: readonly string[] = [];
  let answers: Parameters<Part["update"]>[0]["answers"] = [];
  const classes = createStrip("Class to flip to", "targets", signal, (place, event) =>
    intend({ target: targets[place] ?? "" }, event),
  );
  const regions = createStrip("Answers found", "answers", signal, (tab, event) =>
    intend({ at: { answers, tab, step: null } }, event),
  );
  return {
    element: html("div", { class: "ts-strips" }, classes, regions),
    update({ state, answer, answers: found, tab }) {
      answers = found;
      const others = message.targets.filter((name) => name !== answer.labels.start);
      targets = others.length > 1 ? ["", ...others] : [];
      classes.show(
        targets.map((name) => name || "nearest of any class"),
        Math.max(0, targets.indexOf(state.target)),
        !message.live,
      );
      regions.show(
        found.map(({ name }) => name),
        tab,
        false,
      );
    },
  };
}
