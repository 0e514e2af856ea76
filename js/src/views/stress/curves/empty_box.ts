/** What stands in place of the panel when there is no feature to show. */

import { html } from "../../../marks/element";
import type { StressCurvesMessage } from "../../../wire/stress/curves";
import { skippedList } from "../../shared/feature_list";

export function emptyBox({ skipped }: StressCurvesMessage): HTMLElement {
  return html(
    "div",
    { class: "ts-box", role: "status" },
    html("b", {}, "There is no feature to stress."),
    ...(skipped.length > 0 ? [html("p", {}, "Left out:"), skippedList(skipped)] : []),
  );
}
