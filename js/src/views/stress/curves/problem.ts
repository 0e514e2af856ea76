/** What stands in place of the panel when there is no feature to show. */

import { html } from "../../../marks/element";
import type { StressCurvesMessage } from "../../../wire/stress/curves";

export function emptyBox({ skipped }: StressCurvesMessage): HTMLElement {
  const entries = skipped.map(({ name, reason }) => html("li", {}, html("b", {}, name), ` ${reason}`));
  return html(
    "div",
    { class: "ts-box", role: "status" },
    html("b", {}, "There is no feature to stress."),
    ...(entries.length > 0 ? [html("p", {}, "Left out:"), html("ul", {}, ...entries)] : []),
  );
}
