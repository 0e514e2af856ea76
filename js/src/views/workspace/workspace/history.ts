/** The stresses there were, to go back to: one for each move, however many steps it took. */

import { type Stress, sameStress } from "../../../wire/shared_stress";

/** Milliseconds after which the next change is a move of its own. */
const REST = 600;

export type History = ReturnType<typeof createHistory>;

export function createHistory(first: Stress, now: () => number = () => performance.now()) {
  let past: readonly Stress[] = [first];
  let at = 0;
  let changed = Number.NEGATIVE_INFINITY;
  const can = (by: -1 | 1) => at + by >= 0 && at + by < past.length;
  return {
    can,
    /** The stress is now another. */
    add(stress: Stress) {
      if (sameStress(stress, past[at] as Stress)) return;
      const sameMove = now() - changed < REST && at > 0;
      changed = now();
      past = [...past.slice(0, sameMove ? at : at + 1), stress];
      at = past.length - 1;
    },
    /** The stress one move back (−1) or on (1); null where there is none. */
    step(by: -1 | 1) {
      if (!can(by)) return null;
      at += by;
      changed = Number.NEGATIVE_INFINITY;
      return past[at] as Stress;
    },
  };
}
