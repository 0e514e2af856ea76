/** How heavy the tail of the squares is that a spread of a group of rows is the mean of. */

import type { Outcomes } from "../../wire/stress/joint";
import { paretoK } from "./concentration";
import { isSpread } from "./estimates";

/**
 * The outcomes as a group of rows is judged by them: each spread by the Pareto k̂ of the group's own squares, every
 * row of it counted once.
 *
 * @param within whether a row is of the group
 */
export function withOwnTails(outcomes: Outcomes, within: Uint8Array): Outcomes {
  const metrics = outcomes.metrics.map((metric) => {
    if (!isSpread(metric)) return metric;
    const power = outcomes.powers[metric.power] as Float32Array;
    const values = Float64Array.from(power.filter((_, row) => within[row] === 1));
    const centre =
      metric.form === "variance" ? values.reduce((sum, value) => sum + value, 0) / values.length : 0;
    const squares = metric.form === "variance" ? values.map((value) => (value - centre) ** 2) : values;
    return { ...metric, tail: paretoK(squares) };
  });
  return { ...outcomes, metrics };
}
