/** What is studied, what can be done with all that is shown, and the way back from a move. */

import { createButton, switchOff } from "../../../marks/button";
import { html, listen, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { WorkspaceMessage } from "../../../wire/messages";
import { createTitle } from "../../shared/title";
import { createCopyBox, download } from "./clipboard";
import { type Copied, createCopyMenu, type Telling } from "./copy_menu";
import type { History } from "./history";
import type { Ask } from "./kernel_requests";
import { createScenarioMenu, type Scenarios } from "./scenario_menu";

/**
 * A button that has the kernel make a page of what is on screen, and hands it over as a download.
 *
 * @param refused why the kernel cannot be asked; "" where it can
 */
function createSaveButton(
  ask: Ask,
  { say, refused }: Pick<Telling, "say"> & { refused: string },
  signal: AbortSignal,
): HTMLButtonElement {
  const button = html(
    "button",
    { type: "button", class: "ts-button", "data-testid": "save-page" },
    "Save page",
  );
  button.title = refused || "A page of what is on screen, which needs no kernel";
  if (refused) button.setAttribute("aria-disabled", "true");
  const save = async () => {
    if (refused) return say(refused, true);
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    setText(button, "Saving…");
    say("Making the page…");
    try {
      const { name, content } = await ask("page");
      if (content === undefined) throw new Error("The page came without its content. Try again.");
      download(name, content, "text/html");
      say(`Saved ${name}.`);
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      button.removeAttribute("aria-busy");
      setText(button, "Save page");
    }
  };
  listen(button, "click", signal, () => void save());
  return button;
}

export interface HeadActions {
  readonly history: History;
  readonly shown: Copied;
  readonly scenarios: Scenarios;
  readonly ask: Ask;
  /** Whether the kernel that made it has ended. */
  readonly gone: boolean;
  readonly signal: AbortSignal;
  step(by: -1 | 1): void;
}

export function createHead(message: WorkspaceMessage, actions: HeadActions) {
  const { title, model, notes, n_rows, n_columns, live, offline } = message;
  const { history, shown, scenarios, ask, gone, signal, step } = actions;
  const said = html("p", { class: "ts-head-said", role: "status", "data-testid": "said" });
  const panel = html("div", { class: "ts-head-place" });
  const refused = live ? "" : offline;
  const telling: Telling = {
    say(words, failed = false) {
      setText(said, words);
      said.classList.toggle("ts-failed", failed);
    },
    offer: (words) => panel.replaceChildren(createCopyBox(words, () => panel.replaceChildren())),
  };
  const button = (words: string, title: string, id: string, by: -1 | 1) =>
    createButton({ "aria-label": title, title, "data-testid": id }, words, signal, () => step(by));
  const undo = button("↶", "Undo the last move", "undo", -1);
  const redo = button("↷", "Redo the move", "redo", 1);
  // a number stays with what it counts
  const size = `${model} · ${count(n_rows)}\u00a0rows · ${count(n_columns)}\u00a0columns`;
  const scenario = createScenarioMenu(scenarios, telling, panel, signal);
  const copy = createCopyMenu(shown, ask, { ...telling, refused }, signal);
  const save = createSaveButton(ask, { ...telling, refused }, signal);
  save.hidden = !live && !gone;
  const actionsOf = html("div", { class: "ts-actions" }, scenario, undo, redo, copy, save);
  const unusual = notes.map((note) => html("p", { class: "ts-head-note" }, note));
  return {
    element: html(
      "header",
      { class: "ts-workspace-head" },
      createTitle(title, size),
      actionsOf,
      ...unusual,
      said,
      panel,
    ),
    update() {
      switchOff(undo, !history.can(-1));
      switchOff(redo, !history.can(1));
    },
  };
}
