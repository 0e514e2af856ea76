/** What each line and area stands for, and what it is worth. */

import { html, listen, setText } from "../../../marks/element";
import { createTerm } from "../../../marks/term";
import { isAccumulated, kindLabel } from "../../../wire/effects/effect";
import { TERMS } from "../../shared/terms";
import { rowsOf } from "../../shared/words";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { verticalShift } from "./overlay";
import { shareWords } from "./words";

function entry(swatch: string, ...after: Node[]) {
  const words = html("span");
  const element = html(
    "li",
    {},
    html("span", { class: `ts-swatch ${swatch}`, "aria-hidden": "true" }),
    after.length > 0 ? html("span", {}, words, ...after) : words,
  );
  return {
    element,
    say(text: string) {
      element.hidden = text === "";
      setText(words, text);
    },
  };
}

function bandWords({ bounds, distance, exactly, part }: DerivedView): string {
  if (!bounds) return "";
  const far = exactly ? "as far as this stress" : `within ε = ${shareWords(distance)}`;
  return `${part.covers} ${far}: `;
}

/** Whether some reweighting goes to the band's edge. */
function isReached({ part }: DerivedView): boolean {
  return !isAccumulated(part.kind) || part.axes[0]?.kind !== "levels";
}

export function createLegend({ message, intend, signal }: Context): Part {
  const known = entry("ts-of-known");
  const moved = entry("ts-of-moved");
  const interval = entry("ts-of-interval");
  const reached = html("span");
  const band = entry("ts-of-band", createTerm("certified", TERMS.certified, signal), reached);
  const paper = entry("ts-of-paper");
  const rows = entry("ts-of-rows");
  const overlays = {
    pd: entry("ts-of-pd"),
    cd: entry("ts-of-cd"),
    ale: entry("ts-of-ale"),
    dale: entry("ts-of-ale"),
  } as const;
  const groups = entry("ts-of-group");
  const unseen = entry("ts-of-no-rows");
  const all = [known, moved, interval, band, paper, ...Object.values(overlays), groups, rows, unseen];
  const list = html("ul", { class: "ts-legend" }, ...all);
  const box = html("input", { type: "checkbox", "data-testid": "paper" });
  const option = html("label", { class: "ts-follow" }, box, " show the paper's bound too");
  listen(box, "change", signal, (event) => intend({ paper: box.checked }, event));
  return {
    element: html("div", {}, list, option),
    update({ state, shown }) {
      const { part, output } = shown;
      const two = part.axes.length === 2;
      const levels = part.axes[0]?.kind === "levels";
      list.classList.toggle("ts-of-levels", levels);
      box.checked = state.paper;
      option.hidden = !shown.bounds?.paper;
      known.element.firstElementChild?.classList.toggle("ts-is-alone", !shown.moved);
      known.say(two ? "" : "this data set");
      moved.say(shown.moved && !two ? "the population shown" : "");
      const asKnown = shown.moved && !message.base ? ", the weights taken as known" : "";
      interval.say(two ? "" : `${part.interval}${asKnown}`);
      band.say(bandWords(shown));
      setText(reached, isReached(shown) ? ", and reached" : "");
      paper.say(
        state.paper && shown.bounds?.paper
          ? isAccumulated(part.kind)
            ? "the paper's bound, 2L(x − x₀)·TV"
            : "the paper's bound, 2B·TV"
          : "",
      );
      const sampled = part.sample(output).length;
      const all = rowsOf(message.n_rows);
      rows.say(
        two || levels || sampled === 0
          ? ""
          : sampled < message.n_rows
            ? `${sampled} of ${all}, each by itself`
            : `all ${all}, each by itself`,
      );
      const { groups: found } = shown;
      const about = `${levels ? ", by their numbers" : ""}${found?.words ? ", under the stress" : ""}`;
      groups.say(found && !found.error && !two ? `groups by ${found.by}${about}` : "");
      unseen.say(part.empty.length > 0 ? "no rows here" : "");
      for (const [kind, one] of Object.entries(overlays)) {
        const overlay = shown.overlays.find((other) => other.kind === kind);
        const shift = overlay && verticalShift(shown, overlay) !== 0 ? ", on the same mean" : "";
        one.say(overlay ? `${kindLabel(message, overlay.kind)}${shift}` : "");
      }
    },
  };
}
