/** The messages of the way to another population: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import {
  type TargetPopulationMessage,
  type TowardsStepMessage,
  targetPopulationMessage,
  towardsPathMessage,
} from "../messages";
import { WireError } from "../schema";
import { readStress, type Stress } from "../shared_stress";

export type {
  TargetPopulationMessage,
  TowardsFeatureMessage as BalanceMessage,
  TowardsObservedMessage as Observed,
} from "../messages";

export interface Interval {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** One amount, in words and numbers. */
export interface Step extends TowardsStepMessage {
  readonly ess: number;
  readonly tv: number;
  readonly kl: number;
  readonly paretoK: number;
  /** By metric. */
  readonly expected: readonly Interval[];
  /** Expected less observed; empty without labels. */
  readonly differences: readonly Interval[];
  /** By feature. */
  readonly balance: readonly { readonly mean: number; readonly smd: number }[];
}

/** The amounts that are there, and how many of all. */
export interface Way {
  readonly steps: readonly Step[];
  readonly done: number;
  readonly total: number;
  readonly problem: string;
}

export type TargetPopulationTraits = {
  amount: number;
  stress: unknown;
  message: unknown;
  path: unknown;
  numbers: Bytes;
};

export function decodeTarget(value: unknown): TargetPopulationMessage {
  const message = targetPopulationMessage(value, "message");
  const { metrics, observed, taus } = message;
  if (observed.length !== metrics.length && observed.length > 0) {
    throw new WireError(
      `"message.observed" must have ${metrics.length} metrics, received ${observed.length}`,
    );
  }
  readStress({ taus, hold: "none" });
  return message;
}

/** Part of the way as views share it, or null where sliders cannot say it. */
export function stressOf({ taus, unsaid }: TargetPopulationMessage, amount: number): Stress | null {
  if (unsaid) return null;
  const parts = Object.entries(taus).map(([name, tau]) => [name, amount * tau]);
  return { taus: amount === 0 ? {} : Object.fromEntries(parts), hold: "none" };
}

export function decodeWay(
  value: unknown,
  bytes: unknown,
  { metrics, features, observed }: TargetPopulationMessage,
): Way {
  const { steps, ...rest } = towardsPathMessage(value, "path");
  const [m, d, p] = [metrics.length, observed.length, features.length];
  const width = 4 + 3 * (m + d) + 2 * p;
  const all = float32("numbers", bytes, steps.length * width);
  const read = steps.map((step, k): Step => {
    const at = (place: number) => all[k * width + place] as number;
    const intervals = (from: number, n: number) =>
      Array.from({ length: n }, (_, j): Interval => {
        const [value, lower, upper] = [0, 1, 2].map((i) => at(from + 3 * j + i));
        return { value: value as number, lower: lower as number, upper: upper as number };
      });
    const { reliability, beyond } = step;
    if (reliability.length !== m || beyond.length !== d) {
      throw new WireError(`"path.steps[${k}]" must judge ${m} metrics, received ${reliability.length}`);
    }
    return {
      ...step,
      ...{ ess: at(0), tv: at(1), kl: at(2), paretoK: at(3) },
      expected: intervals(4, m),
      differences: intervals(4 + 3 * m, d),
      balance: features.map((_, j) => {
        const place = 4 + 3 * (m + d) + 2 * j;
        return { mean: at(place), smd: at(place + 1) };
      }),
    };
  });
  return { steps: read, ...rest };
}
