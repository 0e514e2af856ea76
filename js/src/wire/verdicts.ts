/** What to believe of a number under stress, in Python's words: value and interval, the value alone, neither. */

import { refined, texts, WireError } from "./schema";

export const verdicts = refined(texts, ({ length }, where) => {
  if (length !== 3)
    throw new WireError(`"${where}" must have a word for each of 3 levels, received ${length}`);
});
