/** Groups of the rows: what is shown of them, how many rows of each count, and where they are farthest apart. */

import { html, setText } from "../../../marks/element";
import { createNotes, groupRowsWords } from "../../shared/estimates";
import type { Context, Part, View } from "./context";
import { gapWords, placeWords } from "./reading";

/** Why no groups are shown, or what keeps from them; "" where they are those of the population shown. */
function words(live: boolean, { state, shown }: View): string {
  const { groups, groupsLate } = shown;
  const { by } = state;
  if (groups?.error) return groups.error;
  if (!live && !groups) return `Groups by ${by} of this effect are not in this copy, which has no kernel.`;
  if (!groupsLate && groups) return "";
  if (live) return `The kernel computes the curves of groups by ${by}…`;
  return groups?.kept ?? "";
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
      const { groups, part, output } = shown;
      element.hidden = state.by === "" || part.axes.length === 2;
      setText(note, element.hidden ? "" : words(message.live, view));
      const numbered = part.axes[0]?.kind === "levels";
      const all = groups?.groups ?? [];
      const names = all.map(({ label }, k) => (numbered ? `${k + 1} ${label}` : label));
      setText(rows, all.length > 0 ? groupRowsWords(names, all) : "");
      const far = groups?.widest[output] ?? -1;
      setText(
        apart,
        far < 0 ? "" : `Farthest apart at ${placeWords(shown, far)}: ${gapWords(message, shown, far)}.`,
      );
      notes.show(groups?.notes ?? []);
    },
  };
}
