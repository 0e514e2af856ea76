/** What stands in place of a panel when there is nothing to show yet, or nothing that can be read. */

import { html } from "../../marks/element";
import { WireError } from "../../wire/schema";

/** @param what what is waited for, such as "the curves" */
export function waitingBox(what: string): HTMLElement {
  return html("p", { class: "ts-box", role: "status" }, `Waiting for ${what} from the kernel…`);
}

/** @param these what cannot be shown, such as "These stress curves" */
export function errorBox(these: string, error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof WireError ? "The message from the kernel cannot be read" : "Drawing failed";
  return html(
    "div",
    { class: "ts-box ts-error", role: "alert" },
    html("b", {}, `${these} cannot be shown.`),
    html("p", {}, `${cause}: ${reason}.`),
  );
}
