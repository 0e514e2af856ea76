/** The messages of the way to another population: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import { metricMessages } from "../metric";
import { level } from "../reasons";
import {
  flag,
  type Infer,
  list,
  notEmpty,
  nullable,
  number,
  numberOrNaN,
  numbers,
  object,
  oneOf,
  record,
  text,
  texts,
  version,
  WireError,
} from "../schema";
import type { Stress } from "../shared_stress";

const balanceMessage = object({
  name: text,
  kind: oneOf("numeric", "share"),
  /** "year" for dates as decimal years, "days" for durations, else "". */
  unit: text,
  before: number,
  there: number,
  /** The mean before less that there, in standard deviations. */
  smd: number,
});
export type BalanceMessage = Infer<typeof balanceMessage>;

export interface Interval {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** On the new rows, and why it is not reliable. */
const observed = object({ value: numberOrNaN, lower: numberOrNaN, upper: numberOrNaN, level, reason: text });
export type Observed = Infer<typeof observed>;

const targetMessage = object({
  version: version(1),
  title: text,
  n_rows: number,
  /** 0 for a table of margins. */
  n_new: number,
  /** What the other population is: "1,200 new rows". */
  there: text,
  confidence: number,
  interval: text,
  /** Of the slider, ascending. */
  amounts: notEmpty(numbers, "have an amount"),
  metrics: metricMessages,
  /** Each metric as tested. */
  before: list(numberOrNaN),
  /** Each on the new rows; empty without their labels. */
  observed: list(observed),
  /** The farthest before first. */
  features: list(balanceMessage),
  /** τ of all of the way by feature; empty where sliders cannot say it, and `unsaid` why. */
  taus: record,
  unsaid: text,
  notes: texts,
});
export type TargetPopulationMessage = Infer<typeof targetMessage>;

const stepMessage = object({
  amount: number,
  /** The population in words, the effective sample last. */
  population: text,
  /** Whether the margins are met. */
  met: text,
  /** The farthest of those that are not. */
  missed: texts,
  n_missed: number,
  level,
  /** What of the weights speaks against any number; "" for nothing. */
  doubt: text,
  reliability: list(level),
  /** Why, by metric; "" where there is nothing to say. */
  reasons: texts,
  /** What labels of the new rows say of what was expected; "" for nothing. */
  compared: text,
  /** Whether each metric differs by more than chance, null where that cannot be judged; empty without labels. */
  beyond: list(nullable(flag)),
});

const pathMessage = object({
  steps: notEmpty(list(stepMessage), "have a step"),
  done: number,
  total: number,
  /** Why there are no more steps; "" where there are, or will be. */
  problem: text,
});

/** One amount, in words and numbers. */
export interface Step extends Infer<typeof stepMessage> {
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
  const message = targetMessage(value, "message");
  const { metrics, before, observed, taus } = message;
  for (const [name, found] of Object.entries({ before, observed })) {
    if (found.length !== metrics.length && !(name === "observed" && found.length === 0)) {
      throw new WireError(`"message.${name}" must have ${metrics.length} metrics, received ${found.length}`);
    }
  }
  for (const [name, tau] of Object.entries(taus)) {
    if (typeof tau === "number" && Math.abs(tau) <= 1) continue;
    throw new WireError(`"message.taus" must have τ in [-1, 1] for "${name}", received ${tau}`);
  }
  return message;
}

/** Part of the way as views share it, or null where sliders cannot say it. */
export function stressOf({ taus, unsaid }: TargetPopulationMessage, amount: number): Stress | null {
  if (unsaid) return null;
  const parts = Object.entries(taus as Record<string, number>).map(([name, tau]) => [name, amount * tau]);
  return { taus: amount === 0 ? {} : Object.fromEntries(parts), hold: "none" };
}

export function decodeWay(
  value: unknown,
  bytes: unknown,
  { metrics, features, observed }: TargetPopulationMessage,
): Way {
  const { steps, ...rest } = pathMessage(value, "path");
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
    const { reliability, reasons, beyond } = step;
    if (reliability.length !== m || reasons.length !== m || beyond.length !== d) {
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
