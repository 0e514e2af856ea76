/** Groups of the rows: what is shown of them, how many rows of each count, and where they are farthest apart. */

import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { createNotes } from "../../shared/estimates";
import type { Context, Part, View } from "./context";
import type { DerivedView } from "./derive_view";
import { gapWords, placeWords } from "./reading";

/** Why no groups are shown, or what keeps from them; "" where they are those of the population shown. */
function words(live: boolean, { state, shown }: View): string {
  const { groups, groupsLate } = shown;
  const { by } = state;
  if (groups?.error) return groups.error;
  if (!live && !groups) return `Groups by ${by} of this effect are not in this copy, which has no kernel.`;
  if (!groupsLate && groups) return "";
  if (live) return `The kernel computes the curves of groups by ${by}…`;
  return `The groups are of ${groups?.words || "the data as they are"}: this copy has no kernel to move them.`;
}

/** The point where groups are farthest apart; -1 for none. */
function widest({ groups, output, part }: DerivedView): number {
  let [best, most] = [-1, 0];
  for (let g = 0; g < part.n_points; g++) {
    const { value = 0 } = groups?.gap(output, g) ?? {};
    if (value > most) [best, most] = [g, value];
  }
  return best;
}

export function createGroupWords({ message }: Context): Part {
  const note = html("p", { "aria-live": "polite", "data-testid": "group-note" });
  const rows = html("p", { "data-testid": "group-rows" });
  const apart = html("p", { "data-testid": "group-gap" });
  const notes = createNotes();
  const element = html("div", { class: "ts-quiet ts-by-group" }, note, apart, rows, notes.element);
  return {
    element,
    update(view) {
      const { state, shown } = view;
      const { groups, part } = shown;
      element.hidden = state.by === "" || part.axes.length === 2;
      setText(note, element.hidden ? "" : words(message.live, view));
      const numbered = part.axes[0]?.kind === "levels";
      const each = (groups?.groups ?? []).map(
        ({ label, ess, n_rows }, k) =>
          `${numbered ? `${k + 1} ` : ""}${label} ${count(ess)} of ${count(n_rows)}`,
      );
      setText(rows, each.length > 0 ? `Effective rows: ${each.join(", ")}.` : "");
      const far = widest(shown);
      setText(
        apart,
        far < 0 ? "" : `Farthest apart at ${placeWords(shown, far)}: ${gapWords(message, shown, far)}.`,
      );
      notes.show(groups?.notes ?? []);
    },
  };
}
