/** How far a population is from the rows as tested, as every message that has one says it. */

import { nullAs, number, optional, text } from "./schema";
import { readStress } from "./shared_stress";

export const distanceFields = {
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
};

/** Those of the population that the kernel answered in. */
export const answeredFields = {
  stress: readStress,
  /** Why there are no numbers; "" where there are. */
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(distanceFields.pareto_k, Number.NaN),
};
