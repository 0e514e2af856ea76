import type { Modules, Notebook, Tracker, Widget } from "../host";
import { type Follower, follow } from "./follower";
import type { Listing } from "./listing";
import { makeView } from "./view";

/** τ, as the other icons of the sidebar: in the theme's own colour. */
const TAU = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16">
  <path class="jp-icon3 jp-icon-selectable" fill="#616161"
    d="M3.5 9.2C4.6 6.3 6 5 8.7 5H20v2.9h-6.2v6.9c0 1.7.5 2.4 1.7 2.4.8 0 1.5-.2 2.2-.7l.5 2c-1 .8-2.3 1.3-3.8 1.3-2.6 0-3.7-1.5-3.7-4.5V7.9H8.6c-1.5 0-2.2.5-2.9 2z"/>
</svg>`;

export const ID = "tauscope-panel";

export interface StudyPanel {
  readonly widget: Widget;
  /** Follow a notebook now, whatever the settings say. */
  turnTo(notebook: Notebook | null): void;
  open(name: string): Promise<void>;
  setFollowing(following: boolean): void;
}

/**
 * The panel: one head, and beneath it an area for each notebook that a study was opened of, one of them to be seen.
 *
 * `listed` is told the studies of the notebook followed, whenever they may have changed.
 */
export function makePanel(
  modules: Modules,
  tracker: Tracker,
  listed: (studies: Listing["studies"]) => void,
): StudyPanel {
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
    turnTo,
    open: async (name) => current?.open(name),
    setFollowing(now) {
      following = now;
      if (now) turnTo(tracker.currentWidget);
    },
  };
}
