/** The population that the kernel answered in, as the messages of several views have it. */

import { LEVELS } from "../reasons";
import { flag, type Infer, nullAs, number, object, oneOf, optional, text } from "../schema";
import { readStress } from "../shared_stress";

export const followedFields = {
  stress: readStress,
  /** Why there are no numbers; "" where there are. */
  error: text,
  /** Whether it is another population than the rows as tested. */
  moved: optional(flag, false),
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  level: optional(oneOf(...LEVELS), LEVELS[0]),
  /** What of the weights speaks against any number of this population. */
  doubt: optional(text, ""),
};

const followed = object(followedFields);
export type Followed = Infer<typeof followed>;
