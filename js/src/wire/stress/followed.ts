/** The population that the kernel answered in, as the messages of several views have it. */

import { answeredFields } from "../population";
import { LEVELS, level } from "../reasons";
import { flag, type Infer, notEmpty, number, object, optional, text, texts, version } from "../schema";

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
  ...answeredFields,
  /** Whether it is another population than the rows as tested. */
  moved: optional(flag, false),
  /** What follows its words: which groups are on their way, or cannot be had. */
  aside: optional(text, ""),
  level: optional(level, LEVELS[0]),
  /** What of the weights speaks against any number of this population. */
  doubt: optional(text, ""),
};

const followed = object(followedFields);
export type Followed = Infer<typeof followed>;
