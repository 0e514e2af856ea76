/** The answer to a stress: at once from the rows in the page, or from the kernel when it comes. */

import { type Carriers, NO_FEW } from "../../../solve/stress/carriers";
import {
  byPosition,
  createMetricEstimator,
  type Estimator,
  type MetricEstimate,
  type MetricEstimator,
  NOTHING,
  type Sample,
} from "../../../solve/stress/metrics";
import { createSolve, type Solve } from "../../../solve/stress/solutions";
import type { Solved, Status } from "../../../solve/stress/solver";
import type { Columns } from "../../../wire/columns";
import type { ColumnMessage, JointNumbersMessage } from "../../../wire/messages";
import { isStressed, type Stress, sameStress, UNSTRESSED } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";
import { type GroupNumbers, groupNumbers } from "./groups";

export interface Answer {
  readonly stress: Stress;
  readonly status: Status;
  /** Why there are no numbers; "" where there are. */
  readonly reason: string;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly pareto_k: number;
  /** The few rows that carry the weight moved. */
  readonly carriers: Carriers;
  /** Mean of a feature, in its unit. */
  readonly achieved: (feature: number) => number;
  /** Of a metric by its position. */
  readonly estimate: Estimator;
  /** Shares per bin of a feature's histogram; empty where there is none. */
  readonly histogram: (feature: number) => ArrayLike<number>;
  /** Of the rows of a group, 1 for each; null where the rows are not here. */
  readonly ofGroup: ((within: Uint8Array) => GroupAnswer) | null;
  /** Of another metric of the same cells; null where the rows are not here. */
  readonly ofMetric: MetricEstimator | null;
  /** Of each place of the confusion matrix, as the kernel says; null where the rows are here. */
  readonly confusion: readonly MetricEstimate[] | null;
  /** Share of all weight that some rows have, 1 for each; null where the rows are not here. */
  readonly shareOf: ((within: Uint8Array) => ShareOf) | null;
  /** Of each row, as tested or under the stress, of any scale; null where the rows or the weights are not here. */
  readonly weights: ArrayLike<number> | null;
  /** True where this is the answer to another stress, and the one asked for is on its way. */
  readonly stale: boolean;
}

/** As tested, and now, NaN where there are no weights. */
export interface ShareOf {
  readonly before: number;
  readonly now: number;
}

/** A group as tested, and now. */
export interface GroupAnswer {
  readonly before: GroupNumbers;
  readonly now: GroupNumbers;
}

export interface Answers {
  of(stress: Stress): Answer;
  /** What the kernel has answered. */
  receive(answer: JointNumbersMessage | null): void;
}

function estimatorOf(estimates: readonly MetricEstimate[]): Estimator {
  return (metric) => estimates[metric] ?? NOTHING;
}

function unstressedAnswer({ message, columns }: JointStress, stress: Stress): Answer {
  return {
    stress,
    status: "solved",
    reason: "",
    ess: message.ess,
    kl: 0,
    tv: 0,
    pareto_k: message.pareto_k,
    carriers: NO_FEW,
    achieved: (feature) => columns.message.features[feature]?.mean ?? Number.NaN,
    estimate: estimatorOf(message.unstressed),
    histogram: (feature) => message.histograms[feature] ?? [],
    ofGroup: null,
    ofMetric: null,
    confusion: message.outcomes.confusion?.in_kernel?.unstressed ?? null,
    shareOf: null,
    weights: null,
    stale: false,
  };
}

function shareUnder(weights: ArrayLike<number> | null, within: Uint8Array): number {
  let [inside, total] = [0, 0];
  for (let i = 0; i < within.length; i++) {
    const weight = weights ? (weights[i] ?? Number.NaN) : 1;
    total += weight;
    if (within[i] === 1) inside += weight;
  }
  return inside / total;
}

/** Bin of every row of a feature, -1 for a row without a value; found once. */
function createBins({ message, columns }: JointStress): (feature: number) => Int8Array {
  const made = new Map<number, Int8Array>();
  return (feature) => {
    const known = made.get(feature);
    if (known) return known;
    const { mean, sd } = columns.message.features[feature] as ColumnMessage;
    const edges = (message.edges[feature] ?? []).map((edge) => (edge - mean) / sd);
    const last = edges.length - 2;
    const bins = Int8Array.from(columns.column(feature), (z) => {
      if (Number.isNaN(z)) return -1;
      let [low, high] = [0, last];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((edges[middle] as number) <= z) low = middle;
        else high = middle - 1;
      }
      return low;
    });
    made.set(feature, bins);
    return bins;
  };
}

function histogramOf(bins: Int8Array, count: number, weights: Float64Array): Float64Array {
  const shares = new Float64Array(count);
  let total = 0;
  for (let i = 0; i < bins.length; i++) {
    const bin = bins[i] as number;
    if (bin < 0) continue;
    (shares[bin] as number) += weights[i] as number;
    total += weights[i] as number;
  }
  return total > 0 ? shares.map((share) => share / total) : shares;
}

/** Groups of the rows as they are, each counted once. */
function createAsTested(sample: Sample, solved: Solved): (within: Uint8Array) => GroupNumbers {
  const made = new WeakMap<Uint8Array, GroupNumbers>();
  return (within) => {
    const numbers = made.get(within) ?? groupNumbers(sample, solved, within);
    made.set(within, numbers);
    return numbers;
  };
}

/** Answers solved here. */
function createSolver(data: JointStress, solveOn: (columns: Columns) => Solve): Answers {
  const { message, columns, outcomes } = data;
  const bins = createBins(data);
  const sample = outcomes && { columns, outcomes, ends: message.ends, confidence: message.confidence };
  if (!sample) return { receive: () => undefined, of: (stress) => unstressedAnswer(data, stress) };
  const solve = solveOn(columns);
  const rest = solve(UNSTRESSED);
  const asTested = createAsTested(sample, rest);
  const ofMetricAtRest = createMetricEstimator(sample, rest);
  return {
    receive: () => undefined,
    of(stress) {
      if (!isStressed(stress)) {
        const ofGroup = (within: Uint8Array) => ({ before: asTested(within), now: asTested(within) });
        const shareOf = (within: Uint8Array) => {
          const share = shareUnder(columns.base, within);
          return { before: share, now: share };
        };
        return { ...unstressedAnswer(data, stress), ofGroup, ofMetric: ofMetricAtRest, shareOf };
      }
      const solved = solve(stress);
      const ofMetric = createMetricEstimator(sample, solved);
      const count = (feature: number) => Math.max(0, (message.edges[feature]?.length ?? 0) - 1);
      const { status, reason, ess, kl, tv, pareto_k, carriers } = solved;
      return {
        ...{ stress, status, reason, ess, kl, tv, pareto_k, carriers },
        achieved: solved.achieved,
        estimate: byPosition(sample.outcomes.metrics, ofMetric),
        histogram: (feature) =>
          solved.weights.length > 0 && count(feature) > 0
            ? histogramOf(bins(feature), count(feature), solved.weights)
            : [],
        ofGroup: (within) => ({ before: asTested(within), now: groupNumbers(sample, solved, within) }),
        ofMetric,
        confusion: null,
        shareOf: (within) => ({
          before: shareUnder(columns.base, within),
          now: shareUnder(solved.weights, within),
        }),
        weights: solved.weights.length > 0 ? solved.weights : null,
        stale: false,
      };
    },
  };
}

/** Answers that the kernel sends; the last one stands, greyed, until that to the present stress is there. */
function createInbox(data: JointStress): Answers {
  let latest: Answer | null = null;
  return {
    receive(answer) {
      if (!answer) return;
      const { histograms, estimates, achieved, ...rest } = answer;
      latest = {
        ...rest,
        achieved: (feature) => achieved[feature] ?? Number.NaN,
        estimate: estimatorOf(estimates),
        histogram: (feature) => histograms[feature] ?? [],
        ofGroup: null,
        ofMetric: null,
        shareOf: null,
        weights: null,
        stale: false,
      };
    },
    of(stress) {
      if (!isStressed(stress)) return unstressedAnswer(data, stress);
      if (latest && sameStress(latest.stress, stress)) return latest;
      return { ...(latest ?? unstressedAnswer(data, stress)), stale: true };
    },
  };
}

/** @param solveOn how stresses are solved on the columns in the page */
export function createAnswers(
  data: JointStress,
  solveOn: (columns: Columns) => Solve = createSolve,
): Answers {
  return data.outcomes ? createSolver(data, solveOn) : createInbox(data);
}
