/** What every part of the panel is given: the data, its formats, and the way to ask for a change. */

import { featureFormat, isShare, type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import type { HarmShiftMessage } from "../../../wire/messages";
import type { StressHarm } from "./state";

export interface Context {
  readonly data: StressHarm;
  readonly signal: AbortSignal;
  /** Ask for a bar, or for none; `event` is the input that caused it. */
  readonly choose: (chosen: number | null, event: Event) => void;
  readonly metric: QuantityFormat;
  /** Where a feature is moved from and to: "38.6 → 43.2". */
  readonly moved: (shift: HarmShiftMessage) => string;
  /** A name for an element that no other view in the page has. */
  readonly id: (name: string) => string;
}

export function createContext(data: StressHarm, actions: Pick<Context, "signal" | "choose">): Context {
  const suffix = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36);
  const changes = span([0, ...data.shifts.map(({ change }) => change)]);
  return {
    ...actions,
    data,
    metric: quantityFormat(data.message.metric.kind, changes, 1),
    moved: (shift) => {
      const range = isShare(shift) ? data.message.distance : span([shift.mean, shift.target]);
      return featureFormat(shift, range).pair(shift.mean, shift.target).join(" → ");
    },
    id: (name) => `ts-${name}-${suffix}`,
  };
}
