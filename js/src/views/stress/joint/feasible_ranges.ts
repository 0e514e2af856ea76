/** Where each slider can go while the others stay: found one by one once the sliders have come to rest. */

import { type FeasibleRange, feasibleRange } from "../../../solve/stress/ranges";
import type { JointRangesMessage } from "../../../wire/messages";
import { isStressed, type Stress, sameStress, withTau } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";

/** Milliseconds without a change before ranges are sought. */
const REST = 120;

export interface FeasibleRanges {
  /** The range that is known for the present stress, or null. */
  of(feature: number): FeasibleRange | null;
  /** The stress has changed, or other features are listed: seek what is not known yet. */
  seek(stress: Stress, features: readonly number[]): void;
  receive(message: JointRangesMessage | null): void;
}

/** @param found called when a feature's range has become known */
export function createFeasibleRanges(
  data: JointStress,
  found: () => void,
  signal: AbortSignal,
): FeasibleRanges {
  const { features } = data.columns.message;
  const known = new Map<number, { readonly others: Stress; readonly range: FeasibleRange }>();
  let present: Stress = { taus: {}, hold: "none" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });

  const others = (feature: number) => withTau(present, features[feature]?.name ?? "", 0);
  const of = (feature: number): FeasibleRange | null => {
    const alone = others(feature);
    if (!isStressed(alone) && present.hold === "none") return { kind: "range", low: -1, high: 1 };
    const kept = known.get(feature);
    return kept && sameStress(kept.others, alone) ? kept.range : null;
  };
  const next = (wanted: readonly number[]) => {
    const feature = wanted.find((one) => of(one) === null);
    if (feature === undefined) return;
    known.set(feature, { others: others(feature), range: feasibleRange(data.columns, present, feature) });
    found();
    timer = setTimeout(next, 0, wanted);
  };
  return {
    of,
    seek(stress, wanted) {
      present = stress;
      clearTimeout(timer);
      if (data.outcomes && wanted.some((feature) => of(feature) === null))
        timer = setTimeout(next, REST, wanted);
    },
    receive(message) {
      if (!message || !sameStress(message.stress, present)) return;
      features.forEach(({ name }, feature) => {
        const ends = Object.hasOwn(message.ranges, name) ? message.ranges[name] : undefined;
        if (ends === undefined) return;
        const range: FeasibleRange = ends ? { kind: "range", low: ends[0], high: ends[1] } : { kind: "none" };
        known.set(feature, { others: others(feature), range });
      });
      found();
    },
  };
}
