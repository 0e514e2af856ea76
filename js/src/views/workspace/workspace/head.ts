/** What is studied, and the way back from a move. */

import { html, OWN_KEYS } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { WorkspaceMessage } from "../../../wire/workspace/workspace";
import { createTitle } from "../../shared/title";
import type { History } from "./history";

export interface Head {
  readonly element: HTMLElement;
  update(): void;
}

function createButton(text: string, label: string, id: string): HTMLButtonElement {
  return html(
    "button",
    { type: "button", class: "ts-button", "aria-label": label, title: label, "data-testid": id, ...OWN_KEYS },
    text,
  );
}

export function createHead(
  message: WorkspaceMessage,
  history: History,
  step: (by: -1 | 1) => void,
  signal: AbortSignal,
): Head {
  const { title, model, n_rows, n_columns } = message;
  const undo = createButton("↶", "Undo the last move", "undo");
  const redo = createButton("↷", "Redo the move", "redo");
  undo.addEventListener("click", () => step(-1), { signal });
  redo.addEventListener("click", () => step(1), { signal });
  const size = `${model} · ${count(n_rows)} rows · ${count(n_columns)} columns`;
  const actions = html("div", { class: "ts-actions" }, undo, redo);
  return {
    element: html("header", { class: "ts-workspace-head" }, createTitle(title, size), actions),
    update() {
      undo.disabled = !history.can(-1);
      redo.disabled = !history.can(1);
    },
  };
}
