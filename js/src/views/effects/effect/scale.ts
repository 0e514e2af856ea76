/** The axis of an effect's values: wide enough for the curves and the band at the distance shown. */

import { finiteExtent, niceDomain } from "../../../marks/axis";
import { isAccumulated } from "../../../wire/effects/effect";
import type { DerivedView } from "./derive_view";
import { linesOver } from "./overlay";

/** How far beyond the curves the axis reaches on either side, as a part of the curves' span. */
const ROOM = 0.15;

/** The part of an axis that has to be used for it to stay as it is. */
const FILLED = 0.35;

export type Domain = readonly [number, number];

/** What must be seen whole. */
function curves(shown: DerivedView): ArrayLike<number>[] {
  const { known, moved, bounds } = shown;
  const band = bounds ? [bounds.certified.lower, bounds.certified.upper] : [];
  const over = linesOver(shown).map(({ value }) => value);
  return [known.value, known.lower, known.upper, ...(moved ? [moved.curve.value] : []), ...band, ...over];
}

function fits([low, high]: readonly [number, number], domain: Domain): boolean {
  return low >= domain[0] && high <= domain[1];
}

/** The domain for what is shown; kept from before while all of it can be seen and fills a good part of it. */
export function effectDomain(
  shown: DerivedView,
  kind: "share" | "value",
  ticks: number,
  before: Domain | null,
): Domain {
  const extent = finiteExtent(curves(shown));
  if (before && fits(extent, before) && extent[1] - extent[0] > FILLED * (before[1] - before[0]))
    return before;
  const [low, high] = extent;
  const { lowest, highest } = shown.known;
  const [floor, ceiling] = finiteExtent([lowest, highest]);
  const answered = lowest.some(Number.isFinite);
  const room = ROOM * (high - low || Math.abs(high) || 1);
  const ends: [number, number] = [
    answered ? Math.min(low, Math.max(floor, low - room)) : low - room,
    answered ? Math.max(high, Math.min(ceiling, high + room)) : high + room,
  ];
  return niceDomain(ends, kind === "share" && !isAccumulated(shown.part.kind) ? "share" : "value", ticks);
}
