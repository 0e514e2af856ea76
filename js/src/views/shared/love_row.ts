/** A row of a love plot: how far a mean is, in standard deviations, on a scale of both sides of 0. */

import { html } from "../../marks/element";
import { createName } from "../../marks/name";
import { type Formatter, quantityFormat } from "../../theme/formats";

const LETTERS_KEPT = 8;

/** Distances up to a limit, with a sign where they are not 0. */
export function distanceFormat(limit: number): Formatter {
  const { change } = quantityFormat("value", Math.max(1, limit));
  return (smd) => change(smd).replace(/^[+−](?=0(\.0+)?$)/, "");
}

/** The end of a scale for distances up to this far. */
export const limitFor = (far: number) => Math.ceil(10 * far) / 10;

/**
 * @param numbers what stands behind the track
 * @param ring marks where the mean was, where that is not in the middle
 */
export function createLoveRow(name: string, numbers: HTMLElement, ring?: HTMLElement) {
  const stem = html("span", { class: "ts-way-stem" });
  const dot = html("span", { class: "ts-pair-dot" });
  const track = html(
    "span",
    { class: "ts-pair-track ts-is-first ts-love-track", "aria-hidden": "true" },
    stem,
  );
  track.append(...(ring ? [ring] : []), dot);
  const percent = (value: number) => `${value.toFixed(2)}%`;
  return {
    element: html(
      "li",
      { class: "ts-love-row" },
      createName("ts-love-name", name, name, LETTERS_KEPT),
      track,
      numbers,
    ),
    /** @param notable the distance at which lines stand on both sides; none by default */
    show(from: number, to: number, limit: number, notable?: number) {
      const at = (value: number) => 50 + (50 * Math.max(-1, Math.min(1, value / limit))) / 1.04;
      const [start, end] = [at(from), at(to)];
      dot.hidden = stem.hidden = !Number.isFinite(to);
      if (ring) ring.style.left = percent(start);
      dot.style.left = percent(end);
      stem.style.left = percent(Math.min(start, end));
      stem.style.width = percent(Math.abs(end - start));
      if (notable === undefined) return;
      track.style.setProperty("--ts-low", percent(at(-notable)));
      track.style.setProperty("--ts-high", percent(at(notable)));
    },
  };
}
