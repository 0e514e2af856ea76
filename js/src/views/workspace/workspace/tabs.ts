/** The views to choose from, one shown at a time: tabs as in any application, by arrow keys too. */

import { createButton } from "../../../marks/button";
import { html, listen } from "../../../marks/element";
import type { WorkspaceViewMessage } from "../../../wire/messages";

let last = 0;

export function createTabs(
  views: readonly WorkspaceViewMessage[],
  choose: (name: string) => void,
  signal: AbortSignal,
) {
  const id = `ts-tabs-${++last}`;
  const entries = views.map(({ name, label }) => {
    const tab = createButton(
      {
        role: "tab",
        id: `${id}-${name}`,
        "aria-controls": `${id}-${name}-panel`,
        "data-testid": `tab-${name}`,
        class: "ts-tab",
      },
      label,
      signal,
      () => choose(name),
    );
    const panel = html("div", {
      role: "tabpanel",
      id: `${id}-${name}-panel`,
      "aria-labelledby": `${id}-${name}`,
      class: "ts-tab-panel",
      "data-testid": `panel-${name}`,
    });
    return { name, tab, panel };
  });
  const list = html(
    "div",
    { role: "tablist", class: "ts-tabs", "aria-label": "Views" },
    ...entries.map(({ tab }) => tab),
  );
  listen(list, "keydown", signal, ({ key }) => {
    const there = entries.filter(({ tab }) => !tab.hidden);
    const at = there.findIndex(({ tab }) => tab === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 }[key];
    if (to === undefined || at < 0) return;
    const next = there[(to + there.length) % there.length];
    next?.tab.focus();
    if (next) choose(next.name);
  });
  return {
    element: html("section", { class: "ts-views" }, list, ...entries.map(({ panel }) => panel)),
    /** Where the content of a view goes. */
    panel: (name: string) => entries.find((entry) => entry.name === name)?.panel ?? html("div"),
    /** @param hidden the view that stands elsewhere; "" for none */
    show(name: string, hidden: string) {
      for (const { name: own, tab, panel } of entries) {
        const chosen = own === name;
        tab.hidden = own === hidden;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        panel.hidden = !chosen;
      }
    },
  };
}
