/** What becomes of the rules shown under a stress, as the kernel counts them; the answer to one stress and one row. */

import { type Bytes, float32 } from "../buffers";
import { type StressedMessage, stressedMessage } from "../messages";
import { unlessEmpty, WireError } from "../schema";
import type { Answer } from "./rules";

export interface Stressed extends StressedMessage {
  /** Of the rows in the answer's buffers. */
  readonly weights: Float32Array;
}

export type StressedTraits = { stressed: unknown; stressed_weights: Bytes };

/** Null where nothing was counted of the answer shown. */
export function decodeStressed(traits: StressedTraits, answer: Answer): Stressed | null {
  const message = unlessEmpty(stressedMessage)(traits.stressed ?? {}, "stressed");
  if (message === null) return null;
  const { row, pi, t } = message;
  if (row !== answer.row || pi !== answer.pi || t !== (answer.same?.t ?? null)) return null;
  if (message.error) return { ...message, weights: new Float32Array(0) };
  if (message.rules.length !== answer.rules.length) {
    throw new WireError(
      `"stressed" must have ${answer.rules.length} rules, received ${message.rules.length}`,
    );
  }
  return { ...message, weights: float32("stressed_weights", traits.stressed_weights, answer.n_rows) };
}
