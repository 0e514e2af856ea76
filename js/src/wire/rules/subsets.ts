/** The sets of features that were tried for a row. */

import { flag, type Infer, list, number, numbers, object, refined, texts, WireError } from "../schema";

const sizeMessage = refined(
  object({
    size: number,
    n_tried: number,
    n_all: number,
    /** Each as positions in `features`, the most probable first; of very many not all. */
    sets: list(numbers),
    sdp: numbers,
    /** Places of those none of whose parts suffices, and the rule of each; -1 where it has none. */
    minimal: numbers,
    rules: numbers,
  }),
  ({ sets, sdp, minimal, rules }, where) => {
    if (sets.length === sdp.length && minimal.length === rules.length) return;
    throw new WireError(`"${where}" must have a probability for each of its ${sets.length} sets`);
  },
);
export type Size = Infer<typeof sizeMessage>;

export const subsets = object({
  features: texts,
  /** Whether sets were grown one feature at a time. */
  greedy: flag,
  sizes: list(sizeMessage),
});
export type Subsets = Infer<typeof subsets>;
