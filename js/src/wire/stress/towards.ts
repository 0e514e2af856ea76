/** The messages of the way to another population: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, VALUES } from "../buffers";
import {
  type TargetPopulationMessage,
  type TowardsStepMessage,
  targetPopulationMessage,
  towardsPathMessage,
} from "../messages";
import { WireError } from "../schema";
import { readStress, type Stress } from "../shared_stress";

const POPULATION = ["ess", "tv", "kl", "pareto_k"] as const;
const DIFFERENCE = ["difference", "difference_lower", "difference_upper"] as const;

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
  const { steps, layout, ...rest } = towardsPathMessage(value, "path");
  const [m, d, p] = [metrics.length, observed.length, features.length];
  const all = float32("numbers", bytes);
  const sizes = { step: steps.length, metric: m, observed: d, feature: p };
  const find = <N extends string>(names: readonly N[]) => arraysOf("numbers", all, layout, names, sizes);
  const [moved, expected, differences] = [find(POPULATION), find(VALUES), find(DIFFERENCE)];
  const balance = find(["mean", "smd"]);
  const read = steps.map((step, k): Step => {
    const { reliability, beyond } = step;
    if (reliability.length !== m || beyond.length !== d) {
      throw new WireError(`"path.steps[${k}]" must judge ${m} metrics, received ${reliability.length}`);
    }
    const one = (name: string, place: number) => ({ step: k, [name]: place });
    const { pareto_k: paretoK, ...distances } = mapValues(moved, (of) => of({ step: k })[0] as number);
    return {
      ...step,
      ...distances,
      paretoK,
      expected: metrics.map((_, j) => mapValues(expected, (of) => of(one("metric", j))[0] as number)),
      differences: observed.map((_, j) => {
        const found = mapValues(differences, (of) => of(one("observed", j))[0] as number);
        return { value: found.difference, lower: found.difference_lower, upper: found.difference_upper };
      }),
      balance: features.map((_, j) => mapValues(balance, (of) => of(one("feature", j))[0] as number)),
    };
  });
  return { steps: read, ...rest };
}
