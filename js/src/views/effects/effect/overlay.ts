/** What is drawn over an effect: groups of its rows, and other kinds on its footing, for an accumulated one has mean 0. */

import type { GroupCurve } from "../../../wire/effects/effect";
import { isAccumulated, type Part } from "../../../wire/effects/effect";
import type { DerivedView, Overlay } from "./derive_view";

/** Mean of a curve over the rows, each at the points beside it. */
export function meanOver({ axes }: Part, value: ArrayLike<number>): number {
  let [sum, total] = [0, 0];
  axes[0]?.mass.forEach((mass, g) => {
    const at = value[g] as number;
    if (!Number.isFinite(at)) return;
    sum += mass * at;
    total += mass;
  });
  return total > 0 ? sum / total : 0;
}

/** How far a curve is raised to be compared with the chosen one; 0 where both are of one footing. */
export function verticalShift({ part, moved, known }: DerivedView, { part: other, value }: Overlay): number {
  if (isAccumulated(part.kind) === isAccumulated(other.kind)) return 0;
  return meanOver(part, moved?.curve.value ?? known.value) - meanOver(other, value);
}

/** The overlay's value at each point of the chosen effect, matched by label; NaN where it has none. */
export function onAxis(shown: DerivedView, overlay: Overlay): number[] {
  const shift = verticalShift(shown, overlay);
  const places = new Map(overlay.part.axes[0]?.labels.map((label, g) => [label, g]));
  return (shown.part.axes[0]?.labels ?? []).map((label) => {
    const g = places.get(label);
    return g === undefined ? Number.NaN : (overlay.value[g] as number) + shift;
  });
}

function isUnreliable({ value, level }: GroupCurve): boolean {
  return value.every((_, point) => level(point) === 2);
}

/** A named line over the effect. */
export interface LineOver {
  readonly className: string;
  readonly name: string;
  readonly value: ArrayLike<number>;
  /** Of a group; those of other kinds are not drawn. */
  readonly interval: GroupCurve | null;
}

/** Other kinds, then groups. */
export function linesOver(shown: DerivedView): LineOver[] {
  const { overlays, groups, output } = shown;
  return [
    ...overlays.map((one) => ({
      className: `ts-of-${one.kind}`,
      name: one.name,
      value: onAxis(shown, one),
      interval: null,
    })),
    ...(groups?.curves(output) ?? []).map((curve, k) => ({
      className: `ts-of-group${isUnreliable(curve) ? " ts-faded" : ""}`,
      name: groups?.groups[k]?.label ?? "",
      value: curve.value,
      interval: curve,
    })),
  ];
}
