/** What the other features do while some are moved. */

import { html, listen, setText } from "../../../marks/element";
import { HOLDS, type Hold, type Stress } from "../../../wire/shared_stress";
import type { Context, Part } from "./context";

const CHOICES: Record<Hold, readonly [label: string, meaning: string]> = {
  none: ["follow along", "They go where their correlation takes them, as near to the data as can be."],
  means: [
    "keep their means",
    "Their means and shares stay: what is left is the effect of the moved ones alone.",
  ],
  uncorrelated: [
    "stay, uncorrelated",
    "Their means stay and their covariances with every moved feature become 0.",
  ],
};
const NAMED = 4;

export function createHoldPicker({ features, intend, signal }: Context): Part {
  const group = `ts-hold-${Math.random().toString(36).slice(2)}`;
  const boxes = HOLDS.map((hold) => {
    const [label, meaning] = CHOICES[hold];
    const box = html("input", {
      type: "radio",
      name: group,
      value: hold,
      "data-testid": `hold-${hold}`,
    });
    return { hold, box, element: html("label", { title: meaning }, box, ` ${label}`) };
  });
  const free = features.filter(({ held }) => !held).map(({ name }) => name);
  const words = html("p", { class: "ts-quiet" });
  const element = html(
    "fieldset",
    { class: "ts-hold" },
    html("legend", {}, "The other features"),
    ...boxes.map((one) => one.element),
    words,
  );
  let stress: Stress = { taus: {}, hold: "none" };
  for (const { hold, box } of boxes) {
    listen(box, "change", (event) => intend({ stress: { taus: stress.taus, hold } }, event), signal);
  }
  return {
    element,
    update({ state }) {
      stress = state.stress;
      for (const { hold, box } of boxes) box.checked = hold === stress.hold;
      const left =
        free.length > NAMED
          ? `${free.slice(0, NAMED).join(", ")} and ${free.length - NAMED} more`
          : free.join(", ");
      const rare = stress.hold !== "none" && free.length > 0 ? ` Left free, as rare: ${left}.` : "";
      setText(words, CHOICES[stress.hold][1] + rare);
    },
  };
}
