/** The messages of two models side by side: the same words as in Python, checked once, then only read. */

import { metricMessages } from "../metric";
import { answeredFields } from "../population";
import { LEVELS, level } from "../reasons";
import {
  type Infer,
  list,
  number,
  numberOrNaN,
  object,
  optional,
  text,
  unlessEmpty,
  version,
  WireError,
} from "../schema";

const pairMessage = object({
  first: numberOrNaN,
  first_lower: numberOrNaN,
  first_upper: numberOrNaN,
  second: numberOrNaN,
  second_lower: numberOrNaN,
  second_upper: numberOrNaN,
  /** Second minus first. */
  difference: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  /** The model that is better with the whole interval: 0, 1, or −1 for neither. */
  better: number,
  reliability: level,
  note: text,
});
export type PairMessage = Infer<typeof pairMessage>;

const comparisonMessage = object({
  version: version(1),
  title: text,
  names: list(text),
  n_rows: number,
  confidence: number,
  metrics: metricMessages,
  tested: list(pairMessage),
  note: text,
  /** Why no other population can be asked for; "" where one can. */
  offline: text,
});
export type ComparisonMessage = Infer<typeof comparisonMessage>;

const comparedMessage = unlessEmpty(
  object({
    ...answeredFields,
    level: optional(level, LEVELS[0]),
    doubt: optional(text, ""),
    pairs: optional(list(pairMessage), []),
  }),
);
export type Compared = NonNullable<Infer<typeof comparedMessage>>;

export type ComparisonTraits = { stress: unknown; message: unknown; compared: unknown };

export function decodeComparison(value: unknown): ComparisonMessage {
  const message = comparisonMessage(value, "message");
  const [n, found] = [message.metrics.length, message.tested.length];
  if (found !== n) throw new WireError(`"message.tested" must have ${n} metrics, received ${found}`);
  if (message.names.length !== 2) {
    throw new WireError(`"message.names" must name two models, received ${message.names.length}`);
  }
  return message;
}

/** Null where nothing was asked yet. */
export function decodeCompared(value: unknown, { metrics }: ComparisonMessage): Compared | null {
  const message = comparedMessage(value ?? {}, "compared");
  if (message === null || message.error) return message;
  if (message.pairs.length !== metrics.length) {
    throw new WireError(
      `"compared.pairs" must have ${metrics.length} metrics, received ${message.pairs.length}`,
    );
  }
  return message;
}
