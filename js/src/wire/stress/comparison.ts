/** The messages of two models side by side: the same words as in Python, checked once, then only read. */

import {
  type ComparedMessage,
  comparedMessage,
  type ModelComparisonMessage,
  modelComparisonMessage,
} from "../messages";
import { unlessEmpty, WireError } from "../schema";

export const decodeComparison = (value: unknown): ModelComparisonMessage =>
  modelComparisonMessage(value, "message");

/** Null where nothing was asked yet. */
export function decodeCompared(value: unknown, { metrics }: ModelComparisonMessage): ComparedMessage | null {
  const message = unlessEmpty(comparedMessage)(value ?? {}, "compared");
  if (message === null || message.error) return message;
  if (message.pairs.length !== metrics.length) {
    throw new WireError(
      `"compared.pairs" must have ${metrics.length} metrics, received ${message.pairs.length}`,
    );
  }
  return message;
}
