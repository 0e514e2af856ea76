/** What the kernel answers a joint stress view: the numbers of one stress, and how far each slider can go. */

import { type Carriers, NO_FEW } from "../../solve/stress/carriers";
import { distanceFields } from "../population";
import { carriersMessage } from "../reasons";
import {
  type Infer,
  list,
  numberOrNaN,
  numbers,
  object,
  oneOf,
  optional,
  record,
  text,
  unlessEmpty,
} from "../schema";
import { readStress, type Stress } from "../shared_stress";
import { type EstimateMessage, estimateMessage } from "./estimate";

const answerHead = unlessEmpty(
  object({
    stress: readStress,
    status: oneOf("solved", "limit", "infeasible", "unsolved"),
    reason: text,
  }),
);

/** There where the status is "solved" or "limit"; arrays go by feature or metric. */
const answerNumbers = object({
  ...distanceFields,
  carriers: carriersMessage,
  achieved: list(numberOrNaN),
  estimates: list(estimateMessage),
  /** By place of the confusion matrix. */
  confusion: optional(list(estimateMessage), []),
  histograms: list(numbers),
});

/** The kernel's answer to one stress. */
export interface AnswerMessage {
  readonly stress: Stress;
  readonly status: "solved" | "limit" | "infeasible" | "unsolved";
  readonly reason: string;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly paretoK: number;
  readonly carriers: Carriers;
  readonly achieved: readonly number[];
  readonly estimates: readonly EstimateMessage[];
  readonly confusion: readonly EstimateMessage[];
  readonly histograms: readonly (readonly number[])[];
}

const NO_NUMBERS: Infer<typeof answerNumbers> = {
  ess: Number.NaN,
  kl: Number.NaN,
  tv: Number.NaN,
  pareto_k: Number.NaN,
  carriers: NO_FEW,
  achieved: [],
  estimates: [],
  confusion: [],
  histograms: [],
};

/** The kernel's answer, or null while there is none. */
export function decodeAnswer(value: unknown): AnswerMessage | null {
  const head = answerHead(value, "answer");
  if (!head) return null;
  const solved = head.status === "solved" || head.status === "limit";
  const { pareto_k, ...rest } = solved ? answerNumbers(value, "answer") : NO_NUMBERS;
  return { ...head, ...rest, paretoK: pareto_k };
}

export interface RangesMessage {
  readonly stress: Stress;
  /** Lowest and highest τ by feature; null where there is none or it cannot be told. */
  readonly ranges: Readonly<Record<string, readonly [number, number] | null>>;
}

/** The kernel's ranges, or null while there are none. */
export function decodeRanges(value: unknown): RangesMessage | null {
  const given = record(value, "ranges");
  if (Object.keys(given).length === 0) return null;
  const ranges = Object.entries(record(given.ranges, "ranges.ranges")).map(([name, ends]) => {
    const range = ends === null ? null : numbers(ends, `ranges.${name}`);
    return [name, range && ([range[0] ?? -1, range[1] ?? 1] as const)] as const;
  });
  return { stress: readStress(given.stress), ranges: Object.fromEntries(ranges) };
}
