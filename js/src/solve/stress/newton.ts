/** Damped Newton descent on the dual: from any start to the minimum, or to the proof that there is none. */

import { type DualPoint, evaluate, hessianAt, type Problem } from "./dual";
import { cholesky, solveCholesky } from "./matrices";

/** Residual that leaves nothing to gain, standard deviations; columns of float32 hold no more. */
const AIM = 1e-8;
/** Largest residual that counts as solved. */
export const TOLERANCE = 1e-7;
/** Separation of target and rows that the rounding of float32 columns cannot feign, standard deviations. */
export const GAP = 1e-6;
/** Spread of the last step's change of the log-weights below which the Hessian before it still holds. */
const STILL = 1e-5;
const MOST_EVALUATIONS = 100;

/** "outside": the multipliers separate the target from every row. "stalled": neither solved nor disproved. */
export type Outcome = "converged" | "outside" | "stalled";

export interface Descent {
  readonly outcome: Outcome;
  readonly point: DualPoint;
  /** Covariance of z at the point, or so near to it that the weights differ by a hundred-thousandth. */
  readonly hessian: Float64Array;
  readonly evaluations: number;
}

export function residual({ gradient }: DualPoint): number {
  return gradient.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function size(values: Float64Array): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0);
}

export function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, j) => sum + value * (b[j] as number), 0);
}

function separates({ highest, multipliers }: DualPoint): boolean {
  return highest < -GAP * size(multipliers);
}

/** Newton's direction; its reach is bounded where the weights have collapsed onto a few rows. */
function direction({ gradient, multipliers }: DualPoint, hessian: Float64Array): Float64Array {
  const k = gradient.length;
  let factor = cholesky(hessian, k);
  const trace = gradient.reduce((sum, _, j) => sum + (hessian[j * k + j] as number), 0);
  for (let ridge = 1e-15; factor === null; ridge *= 100) {
    const lifted = hessian.slice();
    for (let j = 0; j < k; j++) (lifted[j * k + j] as number) += Math.max(ridge * trace, 1e-200);
    factor = ridge < 1 ? cholesky(lifted, k) : null;
    if (ridge >= 1) return gradient.map((value) => -value);
  }
  const step = solveCholesky(factor, k, gradient);
  const most = (10 * (1 + size(multipliers))) / size(step);
  const scale = -Math.min(1, most);
  return step.map((value) => value * scale);
}

/** How far to cut a refused step: to where the slopes at its two ends put the minimum. */
function cut(slope: number, slopeAtTrial: number): number {
  if (!(slopeAtTrial > slope)) return 0.1;
  return Math.min(Math.max(-slope / (slopeAtTrial - slope), 0.1), 0.5);
}

/**
 * Minimise the dual from a start, left for 0 where the dual lies above its value there.
 *
 * A step is taken when it lowers the dual (Armijo); where its gain is below the dual's rounding, when it lowers
 * the residual.
 */
export function descend(problem: Problem, start: Float64Array): Descent {
  let point = evaluate(problem, start);
  let spent = 1;
  if (!(point.value <= 0) && start.some((value) => value !== 0)) {
    point = evaluate(problem, new Float64Array(start.length));
    spent = 2;
  }
  let last: Float64Array | null = null;
  const ended = (outcome: Outcome): Descent => {
    return { outcome, point, hessian: last ?? hessianAt(problem, point), evaluations: spent };
  };
  for (;;) {
    const off = residual(point);
    if (separates(point)) return ended("outside");
    if (off <= AIM) return ended("converged");
    const hessian = hessianAt(problem, point);
    const towards = direction(point, hessian);
    const slope = dot(point.gradient, towards);
    const noise = 1e-13 * (1 + Math.abs(point.highest));
    let next: DualPoint | null = null;
    for (let step = 1; next === null; ) {
      if (spent >= MOST_EVALUATIONS || step < 1e-8) return ended(off <= TOLERANCE ? "converged" : "stalled");
      const at = point.multipliers.map((value, j) => value + step * (towards[j] as number));
      const trial = evaluate(problem, at);
      spent++;
      if (separates(trial)) next = trial;
      else if (-slope * step > noise) {
        if (trial.value <= point.value + 1e-4 * step * slope) next = trial;
      } else if (residual(trial) < off) next = trial;
      else if (off <= TOLERANCE) return ended("converged");
      if (next === null) step *= cut(slope, dot(trial.gradient, towards));
    }
    point = next;
    last = Math.sqrt(Math.max(-slope, 0)) <= STILL ? hessian : null;
  }
}
