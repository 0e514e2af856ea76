/** What each line and area stands for, and what it is worth. */

import { html, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { isAccumulated, kindLabel } from "../../../wire/effects/effect";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { verticalShift } from "./overlay";
import { shareWords } from "./words";

function entry(swatch: string) {
  const words = html("span");
  const element = html(
    "li",
    {},
    html("span", { class: `ts-swatch ${swatch}`, "aria-hidden": "true" }),
    words,
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
  const attained =
    isAccumulated(part.kind) && part.axes[0]?.kind === "levels" ? "certified" : "certified, and reached";
  return `${part.covers} ${far} (${attained})`;
}

export function createLegend({ message }: Context): Part {
  const known = entry("ts-of-known");
  const moved = entry("ts-of-moved");
  const interval = entry("ts-of-interval");
  const band = entry("ts-of-band");
  const paper = entry("ts-of-paper");
  const rows = entry("ts-of-rows");
  const overlays = {
    pd: entry("ts-of-pd"),
    cd: entry("ts-of-cd"),
    ale: entry("ts-of-ale"),
    dale: entry("ts-of-ale"),
  } as const;
  const all = [known, moved, interval, band, paper, ...Object.values(overlays), rows];
  const element = html("ul", { class: "ts-legend" }, ...all.map((one) => one.element));
  return {
    element,
    update({ shown }) {
      const { part, output } = shown;
      const two = part.axes.length === 2;
      const levels = part.axes[0]?.kind === "levels";
      element.classList.toggle("ts-of-levels", levels);
      known.element.firstElementChild?.classList.toggle("ts-is-alone", !shown.moved);
      known.say(two ? "" : "this data set");
      moved.say(shown.moved && !two ? "the population shown" : "");
      const asKnown = shown.moved && !message.base ? ", the weights taken as known" : "";
      interval.say(two ? "" : `${part.interval}${asKnown}`);
      band.say(two ? "" : bandWords(shown));
      paper.say(
        shown.bounds?.paper && !two
          ? isAccumulated(part.kind)
            ? "the paper's bound, 2L(x − x₀)·TV"
            : "the paper's bound, 2B·TV"
          : "",
      );
      const sampled = part.sample(output).length;
      const all = count(message.n_rows);
      rows.say(
        two || levels || sampled === 0
          ? ""
          : sampled < message.n_rows
            ? `${sampled} of ${all} rows, each by itself`
            : `all ${all} rows, each by itself`,
      );
      for (const [kind, one] of Object.entries(overlays)) {
        const overlay = shown.overlays.find((other) => other.kind === kind);
        const shift = overlay && verticalShift(shown, overlay) !== 0 ? ", on the same mean" : "";
        one.say(overlay ? `${kindLabel(message, overlay.kind)}${shift}` : "");
      }
    },
  };
}
