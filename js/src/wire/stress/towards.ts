/** The messages of the way to another population: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, type Interval, mapValues, type Place, VALUES } from "../buffers";
import {
  type TargetPopulationMessage,
  type TowardsStepMessage,
  targetPopulationMessage,
  towardsPathMessage,
} from "../messages";
import { checkCount } from "../schema";
import { readStress, type Stress } from "../shared_stress";

const POPULATION = ["ess", "tv", "kl", "pareto_k"] as const;
const DIFFERENCE = ["difference", "difference_lower", "difference_upper"] as const;

/** One amount, in words and numbers. */
export interface Step extends TowardsStepMessage, Readonly<Record<(typeof POPULATION)[number], number>> {
  /** By metric. */
  readonly expected: readonly Interval[];
  /** Expected less observed; empty without labels. */
  readonly differences: readonly Interval[];
  /** By feature. */
  readonly balance: readonly { readonly mean: number; readonly smd: number }[];
}

/** The amounts that are there, and how many of all. */
export type Way = ReturnType<typeof decodeWay>;

export function decodeTarget(value: unknown): TargetPopulationMessage {
  const message = targetPopulationMessage(value, "message");
  const { metrics, observed, taus } = message;
  if (observed.length > 0) checkCount("message.observed", observed, metrics.length, "metrics");
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
) {
  const { steps, layout, ...rest } = towardsPathMessage(value, "path");
  const [m, d, p] = [metrics.length, observed.length, features.length];
  const all = float32("numbers", bytes);
  const sizes = { step: steps.length, metric: m, observed: d, feature: p };
  const find = <N extends string>(names: readonly N[]) => {
    const arrays = arraysOf("numbers", all, layout, names, sizes);
    return (at: Place) => mapValues(arrays, (read) => read(at)[0] as number);
  };
  const [moved, expected, difference] = [find(POPULATION), find(VALUES), find(DIFFERENCE)];
  const balance = find(["mean", "smd"]);
  const read = steps.map((one, step): Step => {
    const { reliability, beyond } = one;
    checkCount(`path.steps[${step}].reliability`, reliability, m, "metrics");
    checkCount(`path.steps[${step}].beyond`, beyond, d, "metrics");
    return {
      ...one,
      ...moved({ step }),
      expected: metrics.map((_, metric) => expected({ step, metric })),
      differences: observed.map((_, k) => {
        const found = difference({ step, observed: k });
        return { value: found.difference, lower: found.difference_lower, upper: found.difference_upper };
      }),
      balance: features.map((_, feature) => balance({ step, feature })),
    };
  });
  return { steps: read, ...rest };
}
