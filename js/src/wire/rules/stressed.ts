/** What becomes of the rules shown under a stress, as the kernel counts them; the answer to one stress and one row. */

import { type Bytes, float32 } from "../buffers";
import { answeredFields } from "../population";
import { LEVELS, level } from "../reasons";
import {
  type Infer,
  list,
  nullAs,
  nullable,
  number,
  object,
  optional,
  text,
  unlessEmpty,
  WireError,
} from "../schema";
import { type Answer, shareMessage } from "./rules";

const stressedRule = object({
  sdp: number,
  sdp_min: number,
  training: shareMessage,
  held_out: optional(nullAs(null, shareMessage), null),
  /** That it stops holding; "" where it holds. */
  below: text,
});
export type StressedRule = Infer<typeof stressedRule>;

const stressedMessage = unlessEmpty(
  object({
    ...answeredFields,
    row: number,
    pi: number,
    t: nullable(number),
    /** What of the weights speaks against any number of this population. */
    doubt: optional(object({ level, words: text }), { level: LEVELS[0], words: "" }),
    rules: optional(list(stressedRule), []),
  }),
);

export interface Stressed extends NonNullable<Infer<typeof stressedMessage>> {
  /** Of the rows in the answer's buffers. */
  readonly weights: Float32Array;
}

export type StressedTraits = { stressed: unknown; stressed_weights: Bytes };

/** Null where nothing was counted of the answer shown. */
export function decodeStressed(traits: StressedTraits, answer: Answer): Stressed | null {
  const message = stressedMessage(traits.stressed ?? {}, "stressed");
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
