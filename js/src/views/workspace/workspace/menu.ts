/** A button that opens a menu: Enter, Space or an arrow opens it, arrows walk in it, Escape and Tab leave it. */

import { createButton } from "../../../marks/button";
import { html, listen } from "../../../marks/element";

export interface Entry {
  readonly label: string;
  readonly id: string;
  /** Why it cannot be chosen now; "" where it can. */
  readonly refused?: string;
  /** Of one among several: whether it is the one. */
  readonly checked?: boolean;
  act(): void;
}

export interface Menu {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
}

let last = 0;

function createItem({ label, id, refused = "", checked }: Entry): HTMLElement {
  const item = html(
    "button",
    {
      type: "button",
      role: checked === undefined ? "menuitem" : "menuitemradio",
      "aria-checked": checked === undefined ? undefined : String(checked),
      "aria-disabled": refused ? "true" : undefined,
      tabindex: -1,
      class: "ts-menu-item",
      "data-testid": id,
    },
    html("span", {}, label),
  );
  if (refused) item.append(html("span", { class: "ts-quiet" }, refused));
  return item;
}

/** @param entries asked each time it opens; null for a line between two groups */
export function createMenu(
  label: string,
  id: string,
  signal: AbortSignal,
  entries: () => readonly (Entry | null)[],
): Menu {
  const menuId = `ts-menu-${++last}`;
  const button = createButton(
    {
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-controls": menuId,
      "data-testid": id,
    },
    [label, html("span", { "aria-hidden": "true" }, " ▾")],
    signal,
    () => (menu.hidden ? open("first") : close(true)),
  );
  const menu = html("div", { role: "menu", id: menuId, class: "ts-menu", "aria-label": label });
  menu.hidden = true;
  const place = html("div", { class: "ts-menu-place" }, button, menu);
  let items: HTMLElement[] = [];

  const close = (focus: boolean) => {
    if (menu.hidden) return;
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  };
  const stayInside = () => {
    menu.style.left = "0";
    const [own, head] = [
      menu.getBoundingClientRect(),
      place.parentElement?.parentElement?.getBoundingClientRect(),
    ];
    if (!head) return;
    const left = Math.max(head.left - own.left, Math.min(0, head.right - own.right));
    menu.style.left = `${left}px`;
  };
  const open = (from: "first" | "last") => {
    items = [];
    menu.replaceChildren(
      ...entries().map((entry) => {
        if (!entry) return html("div", { role: "separator", class: "ts-menu-line" });
        const item = createItem(entry);
        listen(item, "click", null, () => {
          if (entry.refused) return;
          close(true);
          entry.act();
        });
        items.push(item);
        return item;
      }),
    );
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    stayInside();
    items.at(from === "first" ? 0 : -1)?.focus();
  };

  listen(button, "keydown", signal, (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? "first" : "last");
  });
  listen(menu, "keydown", signal, (event) => {
    const at = items.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") close(true);
    else if (event.key === "Tab") close(false);
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    if (to !== undefined || event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  listen(place, "focusout", signal, (event) => {
    if (!place.contains(event.relatedTarget as Node | null)) close(false);
  });
  return { element: place, button };
}
