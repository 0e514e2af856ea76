/** What stands in place of the panel when there is nothing to show, or nothing that can be read. */

import { html } from "../../marks/element";
import type { StressCurvesMessage } from "../../wire/stress_curves";
import { WireError } from "../../wire/wire_error";

export function waitingBox(): HTMLElement {
  return html("p", { class: "ts-box", role: "status" }, "Waiting for the curves from the kernel…");
}

export function errorBox(error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof WireError ? "The message from the kernel cannot be read" : "Drawing failed";
  return html(
    "div",
    { class: "ts-box ts-error", role: "alert" },
    html("b", {}, "These stress curves cannot be shown."),
    html("p", {}, `${cause}: ${reason}.`),
  );
}

export function emptyBox({ skipped }: StressCurvesMessage): HTMLElement {
  const entries = skipped.map(({ name, reason }) => html("li", {}, html("b", {}, name), ` ${reason}`));
  return html(
    "div",
    { class: "ts-box", role: "status" },
    html("b", {}, "There is no feature to stress."),
    ...(entries.length > 0 ? [html("p", {}, "Left out:"), html("ul", {}, ...entries)] : []),
  );
}
