import { html } from "../../marks/element";
import type { Modules, Notebook, Tracker, Widget } from "../host";
import { IMPORT } from "./code";
import { type Follower, follow } from "./follower";
import { button, makeForm } from "./form";
import type { Listing, StudyName } from "./listing";
import { againOf, type State, words } from "./state";

interface Actions {
  open(name: string): void;
  close(): void;
  ask(): void;
  insert(code: string, run: boolean): void;
}

/** The head of the panel: what is followed, what can be opened, and what there is to say. */
export function makeView(actions: Actions) {
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
    show(state: State | undefined) {
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

/** τ, as the other icons of the sidebar: in the theme's own colour. */
const TAU = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16">
  <path class="jp-icon3 jp-icon-selectable" fill="#616161"
    d="M3.5 9.2C4.6 6.3 6 5 8.7 5H20v2.9h-6.2v6.9c0 1.7.5 2.4 1.7 2.4.8 0 1.5-.2 2.2-.7l.5 2c-1 .8-2.3 1.3-3.8 1.3-2.6 0-3.7-1.5-3.7-4.5V7.9H8.6c-1.5 0-2.2.5-2.9 2z"/>
</svg>`;

export const ID = "tauscope-panel";

export type StudyPanel = ReturnType<typeof makePanel>;

/**
 * The panel: one head, and beneath it an area for each notebook that a study was opened of, one of them to be seen.
 *
 * `listed` is told the studies of the notebook followed, whenever they may have changed.
 */
export function makePanel(modules: Modules, tracker: Tracker, listed: (studies: Listing["studies"]) => void) {
  const { NotebookActions } = modules.notebook;
  const widget = new modules.widgets.Panel();
  const followers = new Map<Notebook, Follower>();
  let current: Follower | undefined;
  let following = true;

  const view = makeView({
    open: (name) => void current?.open(name),
    close: () => current?.close(),
    ask: () => current?.ask(),
    insert(code, run) {
      if (!current) return;
      const { content, sessionContext } = current.notebook;
      NotebookActions.insertBelow(content);
      content.activeCell?.model.sharedModel.setSource(code);
      if (run) void NotebookActions.run(content, sessionContext);
    },
  });

  function show(): void {
    view.show(current?.state());
    listed(current?.state().listing?.studies ?? []);
  }

  function forget(notebook: Widget): void {
    const gone = followers.get(notebook as Notebook);
    if (!gone) return;
    gone.dispose();
    followers.delete(gone.notebook);
    if (current !== gone) return;
    current = undefined;
    turnTo(tracker.currentWidget);
  }

  function followerOf(notebook: Notebook): Follower {
    const known = followers.get(notebook);
    if (known) return known;
    const made = follow(notebook, {
      modules,
      place: widget,
      isLookedAt: (asked) => widget.isVisible && current?.notebook === asked,
      changed: () => current?.notebook === notebook && show(),
    });
    followers.set(notebook, made);
    notebook.disposed.connect(forget);
    return made;
  }

  function turnTo(notebook: Notebook | null): void {
    const next = notebook && !notebook.isDisposed ? followerOf(notebook) : undefined;
    if (next !== current) {
      current?.setHidden(true);
      current = next;
      next?.setHidden(false);
    }
    show();
  }

  widget.id = ID;
  widget.addClass("ts-lab");
  widget.title.caption = "Tauscope: studies of the active notebook";
  widget.title.icon = new modules.components.LabIcon({ name: "tauscope:tau", svgstr: TAU });
  widget.addWidget(new modules.widgets.Widget({ node: view.node }));
  widget.onAfterShow = () => current?.ask();
  widget.onAfterAttach = () => current?.ask();
  tracker.currentChanged.connect((_, notebook) => {
    if (following || !current) turnTo(notebook);
  });
  turnTo(tracker.currentWidget);

  return {
    widget,
    /** Follow a notebook now, whatever the settings say. */
    turnTo,
    open: async (name: string) => current?.open(name),
    setFollowing(now: boolean) {
      following = now;
      if (now) turnTo(tracker.currentWidget);
    },
  };
}
