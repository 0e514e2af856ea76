/** What is read off at a point, and the whole picture in words. */

import { quantityFormat } from "../../../theme/formats";
import { type EffectMessage, kindLabel } from "../../../wire/effects/effect";
import { LEVELS } from "../../../wire/reasons";
import { barely, capitalize } from "../../shared/words";
import { effectFormat, type View } from "./context";
import type { DerivedView } from "./derive_view";
import { movedWords, shareWords } from "./words";

/** Where a point lies: "age 38.8", "sex Female, hours 40". */
export function placeWords({ part }: DerivedView, point: number): string {
  const [first, second] = part.axes;
  if (!first) return "";
  if (!second) return `${first.name} ${first.labels[point]}`;
  const across = second.points.length;
  return `${first.name} ${first.labels[Math.floor(point / across)]}, ${second.name} ${second.labels[point % across]}`;
}

export function rangeWords(lower: number, upper: number, bare: (value: number) => string): string {
  return Number.isFinite(lower) && Number.isFinite(upper) ? `${bare(lower)} – ${bare(upper)}` : "none";
}

/** Everything about a point in one line, what an interval is said once below. */
export function pointWords(message: EffectMessage, { state, shown }: View): string {
  const { point } = state;
  const { bare, value } = effectFormat(message, shown);
  const { known, moved, bounds, part } = shown;
  if (point === null || !(point < part.n_points)) {
    return "Point at the picture, or use the arrow keys on it, to read its numbers.";
  }
  const at = (values: ArrayLike<number>) => values[point] as number;
  const words = [
    `${placeWords(shown, point)}: ${value(at(known.value))} (${rangeWords(at(known.lower), at(known.upper), bare)})`,
  ];
  if (part.empty.includes(point)) words.push("no rows here");
  if (moved) {
    const { curve } = moved;
    words.push(
      `under the stress ${value(at(curve.value))} (${rangeWords(at(curve.lower), at(curve.upper), bare)})`,
    );
  }
  if (bounds) {
    const ends = rangeWords(at(bounds.certified.lower), at(bounds.certified.upper), bare);
    if (ends !== "none") words.push(`certified ${ends}`);
    const paper =
      state.paper && bounds.paper ? rangeWords(at(bounds.paper.lower), at(bounds.paper.upper), bare) : "none";
    if (paper !== "none") words.push(`the paper's ${paper}`);
  }
  return [...words, ...groupWords(message, shown, point)].join("; ");
}

/** Each group at a point, how far to rely on it where that is not far, and how far they are apart. */
function groupWords(message: EffectMessage, shown: DerivedView, point: number): string[] {
  const { groups, output } = shown;
  if (!groups) return [];
  const { bare, value: write } = effectFormat(message, shown);
  const names = groups.groups.map(({ label }) => label);
  const words = groups.curves(output).map(({ value, lower, upper, level }, k) => {
    const at = value[point] as number;
    if (!Number.isFinite(at)) return `${names[k]} none`;
    const trust = level(point) > 0 ? `, ${LEVELS[level(point)]}` : "";
    return `${names[k]} ${write(at)} (${rangeWords(lower[point] as number, upper[point] as number, bare)}${trust})`;
  });
  const gap = gapWords(message, shown, point);
  return gap ? [...words, `gap ${gap}`] : words;
}

/** How far groups are apart at a point; "" where fewer than two have a value. */
export function gapWords(message: EffectMessage, shown: DerivedView, point: number): string {
  const gap = shown.groups?.gap(shown.output, point);
  if (!gap) return "";
  const change = differenceFormat(message, shown);
  const ends = rangeWords(gap.lower, gap.upper, (end) => barely(change(end)));
  const [largest, smallest] = [gap.largest, gap.smallest].map((k) => shown.groups?.groups[k]?.label);
  return `${largest} − ${smallest} ${change(gap.value)} (${ends})`;
}

/** A chart for those who do not see it: what is drawn, where it starts and ends. */
export function chartWords(message: EffectMessage, { shown }: View): string {
  const { part, known, moved, distance, bounds } = shown;
  const { bare, value } = effectFormat(message, shown);
  const kind = `${kindLabel(message, part.kind)} of ${message.responses[shown.output] ?? message.response} on ${part.features.join(" and ")}`;
  const ends = [0, part.n_points - 1].map((g) => {
    const interval = rangeWords(known.lower[g] as number, known.upper[g] as number, bare);
    return `${value(known.value[g] as number)} (${interval}) at ${placeWords(shown, g)}`;
  });
  const stressed = moved
    ? ` Under the stress ${[0, part.n_points - 1].map((g) => value(moved.curve.value[g] as number)).join(" and ")} there.`
    : "";
  const band = bounds ? ` Band for ${shareWords(distance)} of the rows replaced.` : "";
  return `${capitalize(kind)}: ${ends.join(", ")}${moved ? ", as tested" : ""}.${stressed}${band}`;
}

/** A difference of two values of the effect: that of shares in points. */
export function differenceFormat(message: EffectMessage, shown: DerivedView): (value: number) => string {
  if (message.response_kind === "value") return effectFormat(message, shown).value;
  const { bare } = quantityFormat("share", 0.1, 3);
  return (value) => `${bare(value)} points`;
}

/** What a screen reader is told: the point, what the stress did, and the band. */
export function spokenWords(message: EffectMessage, view: View): string {
  const { shown, state } = view;
  const point = state.point === null ? "" : pointWords(message, view);
  const band = shown.bounds ? `Band for ${shareWords(shown.distance)} of the rows replaced.` : "";
  return [point, movedWords(shown, differenceFormat(message, shown)), band].filter(Boolean).join(" ");
}
