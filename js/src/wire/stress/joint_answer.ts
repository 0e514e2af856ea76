/** What the kernel answers a joint stress view: the numbers of one stress, and how far each slider can go. */

import { NO_FEW } from "../../solve/stress/carriers";
import {
  type JointNumbersMessage,
  type JointRangesMessage,
  jointAnswerMessage,
  jointNumbersMessage,
  jointRangesMessage,
} from "../messages";
import { unlessEmpty } from "../schema";

/** The kernel's answer to one stress; arrays go by feature or metric, and are empty where it has no numbers. */
export interface AnswerMessage extends Omit<JointNumbersMessage, "pareto_k"> {
  readonly paretoK: number;
}

const NO_NUMBERS = {
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
  const head = unlessEmpty(jointAnswerMessage)(value, "answer");
  if (!head) return null;
  const solved = head.status === "solved" || head.status === "limit";
  const { pareto_k, ...rest } = solved ? jointNumbersMessage(value, "answer") : { ...head, ...NO_NUMBERS };
  return { ...rest, paretoK: pareto_k };
}

/** The kernel's ranges, or null while there are none. */
export const decodeRanges = (value: unknown): JointRangesMessage | null =>
  unlessEmpty(jointRangesMessage)(value, "ranges");
