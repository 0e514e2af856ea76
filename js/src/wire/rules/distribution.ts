/** What the values of a set leave open: shares of values or of classes, and which of them count as the same. */

import { type Infer, nullable, number, numbers, object, refined, text, texts, WireError } from "../schema";

export const same = object({
  decided: number,
  low: number,
  high: number,
  /** The squared difference that does; null where an interval was given. */
  t: nullable(number),
  /** Of any of the forest's rows. */
  lowest: number,
  highest: number,
});
export type Same = Infer<typeof same>;

export const distribution = refined(
  object({
    name: text,
    /** Ascending; empty for classes. */
    values: numbers,
    /** The most frequent; empty for values. */
    classes: texts,
    /** Of each value or class named. */
    shares: numbers,
    /** The row's class among those named; -1 for values. */
    own: number,
    n_others: number,
  }),
  ({ values, classes, shares }, where) => {
    if (shares.length === values.length + classes.length) return;
    throw new WireError(`"${where}" must have a share for each of its values or classes`);
  },
);
export type Distribution = Infer<typeof distribution>;
