/** A metric with what its interval is made of; the same as `tauscope.stress.estimates`. */
import type { OutcomeMetricMessage } from "../../wire/messages";

/** Slopes whose squares leave the range of floats: those of a ratio with next to no weight below its line. */
export const STEEPEST = 1e150;

export interface Estimate {
  /** NaN where the metric is not defined: no weight left on its denominator. */
  readonly value: number;
  /** Standard error, in the metric's unit. */
  readonly error: number;
  /** Degrees of freedom of Student's t, at least 1. */
  readonly df: number;
  readonly ess: number;
  /** Effective rows that the metric is about: those below the line of a ratio, of several that of fewest, else all. */
  readonly denominator: number;
  /**
   * Effective rows that a rate counts, and of those below the line that it does not; of a loss, those that make up its
   * errors, and those of the rarer class; `ess` times the mean and the
   * rest of it for a mean probability; for a spread both are those that make it up; ∞ for other metrics.
   */
  readonly events: number;
  readonly nonEvents: number;
  /** Share of the squared error that comes from targets estimated from the rows, in [0, 1]. */
  readonly ofTargets: number;
}

/** Whether it counts rows: a share of those below the line. */
export function isRate({ form, kind, scale }: OutcomeMetricMessage): boolean {
  return form === "ratio" && kind !== "value" && scale === "logit";
}

/** Whether it is made of numbers of the rows, and counts none. */
export function isMean({ kind, power }: OutcomeMetricMessage): boolean {
  return power >= 0 || kind === "value";
}

/** Whether it is a mean of squares, or the root of one. */
export function isSpread({ form }: OutcomeMetricMessage): boolean {
  return form === "variance" || form === "root_mean";
}

/** Kish's effective rows, (Σ w v)² / Σ w² v²; 0 where the squares are no floats any more. */
export function effectiveRows(mass: number, squares: number): number {
  return squares > 0 ? mass * (mass / squares) : 0;
}

/** Σ w and Σ w² of each cell. */
export interface CellSums {
  readonly masses: Float64Array;
  readonly squares: Float64Array;
}

type Counts = Pick<Estimate, "denominator" | "events" | "nonEvents">;

/** The effective rows of that among several ratios which has fewest, and how they part. */
function countParts(metric: OutcomeMetricMessage, value: number, { masses, squares }: CellSums): Counts {
  let smallest = Infinity;
  for (let start = 0; start < metric.bottom.length; start += masses.length) {
    let [mass, square] = [0, 0];
    for (let c = 0; c < masses.length; c++) {
      const factor = metric.bottom[start + c] as number;
      mass += factor * (masses[c] as number);
      square += factor * factor * (squares[c] as number);
    }
    if (mass > 0) smallest = Math.min(smallest, effectiveRows(mass, square));
  }
  return { denominator: smallest, events: smallest * value, nonEvents: smallest * (1 - value) };
}

/** The effective rows of some cells, each by a factor. */
function effectiveOf({ masses, squares }: CellSums, coefficient: (cell: number) => number): number {
  let [mass, square] = [0, 0];
  for (let c = 0; c < masses.length; c++) {
    const factor = coefficient(c);
    mass += factor * (masses[c] as number);
    square += factor * factor * (squares[c] as number);
  }
  return effectiveRows(mass, square);
}

/** The effective rows that a ratio rests on. */
function countCells(metric: OutcomeMetricMessage, cells: CellSums): Counts {
  const effective = (coefficient: (cell: number) => number) => effectiveOf(cells, coefficient);
  const top = (c: number) => metric.top[c] as number;
  const bottom = (c: number) => metric.bottom[c] as number;
  const denominator = effective(bottom);
  if (!isRate(metric)) return { denominator, events: Infinity, nonEvents: Infinity };
  return { denominator, events: effective(top), nonEvents: effective((c) => bottom(c) - top(c)) };
}

/**
 * The effective rows that a metric rests on.
 *
 * @param spread of a spread, the effective rows that make it up
 * @param squares of the squares of a power, the effective rows that make up their mean
 */
export function countSupport(
  metric: OutcomeMetricMessage,
  value: number,
  cells: CellSums,
  ess: number,
  spread: () => number,
  squares: (power: number) => number,
): Counts {
  if (metric.counted.length > 0) {
    const [errors, ...classes] = metric.counted.map(({ cells: of, power }) =>
      power >= 0 ? squares(power) : effectiveOf(cells, (c) => of[c] as number),
    );
    return { denominator: ess, events: errors as number, nonEvents: Math.min(...classes) };
  }
  if (metric.form === "ratio") return countCells(metric, cells);
  if (metric.form === "mean_ratio") return countParts(metric, value, cells);
  if (isSpread(metric)) {
    const rows = spread();
    return { denominator: ess, events: rows, nonEvents: rows };
  }
  const probable = metric.scale === "logit";
  return {
    denominator: ess,
    events: probable ? ess * value : Infinity,
    nonEvents: probable ? ess * (1 - value) : Infinity,
  };
}
