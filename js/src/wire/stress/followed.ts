/** The population that the kernel answered in, as the messages of several views have it. */

import { LEVELS, level } from "../reasons";
import {
  flag,
  type Infer,
  notEmpty,
  nullAs,
  number,
  object,
  optional,
  text,
  texts,
  version,
} from "../schema";
import { readStress } from "../shared_stress";

/** What stays of a view of metrics in groups, whatever the population. */
export const groupedFields = {
  version: version(1),
  title: text,
  n_rows: number,
  /** What groups are told apart by; "" without. */
  by: text,
  /** Their names; one "" of all rows. */
  groups: notEmpty(texts, "name a group"),
  confidence: number,
  interval: text,
  /** Why no other population can be asked for; "" where one can. */
  offline: text,
};

export const followedFields = {
  stress: readStress,
  /** Why there are no numbers; "" where there are. */
  error: text,
  /** Whether it is another population than the rows as tested. */
  moved: optional(flag, false),
  words: optional(text, ""),
  /** What follows these words: which groups are on their way, or cannot be had. */
  aside: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  level: optional(level, LEVELS[0]),
  /** What of the weights speaks against any number of this population. */
  doubt: optional(text, ""),
};

const followed = object(followedFields);
export type Followed = Infer<typeof followed>;
