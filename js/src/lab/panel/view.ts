import { html } from "../../marks/element";
import { IMPORT } from "./code";
import { button, makeForm } from "./form";
import type { StudyName } from "./listing";
import { againOf, type State, words } from "./state";

export interface Actions {
  open(name: string): void;
  close(): void;
  ask(): void;
  insert(code: string, run: boolean): void;
}

export interface View {
  readonly node: HTMLElement;
  show(state: State | undefined): void;
}

/** The head of the panel: what is followed, what can be opened, and what there is to say. */
export function makeView(actions: Actions): View {
  const path = html("span", { class: "ts-lab-path", "data-testid": "lab-path" });
  const status = html("p", { role: "status", class: "ts-lab-status", "data-testid": "lab-status" });
  const studies = html("ul", { class: "ts-lab-studies", "aria-label": "Studies of this notebook" });
  const list = button("List again", "lab-list", actions.ask);
  const close = button("Close", "lab-close", actions.close);
  const start = button(`Insert and run ${IMPORT}`, "lab-import", () => actions.insert(IMPORT, true));
  let next: StudyName | undefined;
  const again = button("Open again", "lab-again", () => next && actions.open(next.name));
  const form = makeForm(actions.insert);
  let shown = "";
  const node = html(
    "section",
    { class: "ts-lab-head", "aria-label": "Tauscope" },
    html("header", {}, html("strong", {}, "Tauscope"), path, list, close),
    status,
    html("div", { class: "ts-lab-buttons" }, again, start),
    studies,
    form.node,
  );

  return {
    node,
    show(state) {
      const listing = state?.listing ?? undefined;
      next = state && againOf(state);
      path.textContent = state?.shown
        ? `${state.shown.name}, ${nameOf(state.path)}`
        : nameOf(state?.path ?? "");
      path.title = state?.path ?? "";
      status.textContent = words(state);
      status.hidden = status.textContent === "";
      again.hidden = next === undefined || (state?.opening ?? false);
      again.textContent = `Open ${next?.name} again`;
      start.hidden = !state || state.listing !== null || state.kernel !== "ready";
      list.hidden = state?.kernel !== "ready";
      close.hidden = state?.shown === undefined;
      const others = (listing?.studies ?? []).filter(({ name }) => name !== (state?.shown ?? next)?.name);
      keepFocus(studies, () => studies.replaceChildren(...others.map((study) => row(study, actions.open))));
      studies.hidden = others.length === 0;
      form.node.hidden = listing === undefined;
      if (listing) form.show(listing);
      // a study that was opened has the room
      const key = state?.shown ? `${state.path}: ${state.shown.name}` : "";
      if (key && key !== shown) form.node.open = false;
      shown = key;
    },
  };
}

function row({ name, model, n_rows, n_columns }: StudyName, open: (name: string) => void): HTMLElement {
  const size = `${model}, ${n_rows.toLocaleString("en")} × ${n_columns}`;
  const press = button(`Open ${name}`, "lab-open", () => open(name));
  press.dataset.name = name;
  return html("li", {}, press, html("span", { class: "ts-lab-quiet" }, size));
}

/** Redraw a list; the button of the same study has the focus again, where one had it. */
function keepFocus(list: HTMLElement, draw: () => void): void {
  const focused = list.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).dataset.name
    : undefined;
  draw();
  if (focused === undefined) return;
  const buttons = [...list.querySelectorAll("button")];
  buttons.find(({ dataset }) => dataset.name === focused)?.focus();
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
