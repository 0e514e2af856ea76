/** What stands in place of the panel when there is nothing to show, or nothing that can be read. */

import { html } from "../../marks/element";
import { WireError } from "../../wire/wire_error";

export function waitingBox(): HTMLElement {
  return html("p", { class: "ts-box", role: "status" }, "Waiting for the rows from the kernel…");
}

export function errorBox(error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof WireError ? "The message from the kernel cannot be read" : "Drawing failed";
  return html(
    "div",
    { class: "ts-box ts-error", role: "alert" },
    html("b", {}, "This joint stress cannot be shown."),
    html("p", {}, `${cause}: ${reason}.`),
  );
}
