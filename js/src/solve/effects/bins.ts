/** Accumulated local effects from the rows' changes across their bins. */

import { interpolateTQuantile, type Quantiles } from "../student_t";
import { type Groups, groupDistance, members, moments, nGroups } from "./groups";
import {
  around,
  type Band,
  type Curve,
  type EffectNumbers,
  largest,
  largestDistance,
  lazily,
} from "./numbers";
import { SortedMeans } from "./sorted_means";

export interface Bins {
  readonly local: Groups;
  /** Where each row stands on the grid, in steps; NaN for rows in no bin. */
  readonly position: Float32Array;
  /** Grid points in the feature's unit; null for levels, whose neighbouring bins share rows. */
  readonly points: readonly number[] | null;
  /** The paper's L; null for levels. */
  readonly lipschitz: number | null;
}

/** Steps added up from 0; one without rows adds nothing. */
function accumulate(steps: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(steps.length + 1);
  for (let k = 0; k < steps.length; k++) {
    const step = steps[k] as number;
    sums[k + 1] = (sums[k] as number) + (Number.isNaN(step) ? 0 : step);
  }
  return sums;
}

/** Share of the weight at each point, a row between two counted to both. */
function pointShares(position: Float32Array, weights: Float64Array, points: number): Float64Array {
  const mass = new Float64Array(points);
  let total = 0;
  position.forEach((at, row) => {
    if (Number.isNaN(at)) return;
    const w = weights[row] as number;
    const left = Math.min(Math.floor(at), points - 2);
    mass[left] = (mass[left] as number) + w * (1 - (at - left));
    mass[left + 1] = (mass[left + 1] as number) + w * (at - left);
    total += w;
  });
  return mass.map((m) => m / (total || 1));
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, k) => sum + x * (b[k] as number), 0);

/** Each row's share in the error of the centring mean, by where it stands; and the effective rows of the mean. */
function centring(
  position: Float32Array,
  weights: Float64Array,
  after: Float64Array,
  mean: number,
): { errors: Float64Array; size: number } {
  let [sum, squares] = [0, 0];
  const errors = new Float64Array(position.length);
  position.forEach((at, row) => {
    if (Number.isNaN(at)) return;
    const w = weights[row] as number;
    const left = Math.min(Math.floor(at), after.length - 2);
    const [low, high] = [after[left] as number, after[left + 1] as number];
    errors[row] = w * (low + (at - left) * (high - low) - mean);
    sum += w;
    squares += w * w;
  });
  const size = squares > 0 ? sum ** 2 / squares : 0;
  const scale = size > 1 + 1e-9 ? Math.sqrt(size / (size - 1)) / sum : 0;
  for (let row = 0; row < errors.length; row++) errors[row] = (errors[row] as number) * scale;
  return { errors, size };
}

/** Covariance of each bin's mean with the centring mean. */
function sharedErrors(
  { starts, rows, values }: Groups,
  weights: Float64Array,
  steps: readonly ReturnType<typeof moments>[],
  errors: Float64Array,
): Float64Array {
  return Float64Array.from(steps, ({ mean, size, mass }, k) => {
    if (!(size > 1 + 1e-9)) return 0;
    let sum = 0;
    for (let i = starts[k] as number; i < (starts[k + 1] as number); i++) {
      const row = rows[i] as number;
      sum += (weights[row] as number) * ((values[i] as number) - mean) * (errors[row] as number);
    }
    return (Math.sqrt(size / (size - 1)) / mass) * sum;
  });
}

/** Half the width of the interval at each point; NaN for levels. */
function halfWidths(
  { points, position, local }: Bins,
  weights: Float64Array,
  shares: Float64Array,
  after: Float64Array,
  steps: readonly ReturnType<typeof moments>[],
  quantiles: Quantiles,
): Float64Array {
  const K = steps.length;
  if (!points) return new Float64Array(K + 1).fill(Number.NaN);
  const several = steps.filter(({ size }) => size > 1 + 1e-9);
  const massOf = several.reduce((sum, { mass }) => sum + mass, 0);
  // a bin of one row is given the pooled spread of the others
  const rowVariance = ({ spread, size }: { spread: number; size: number }) =>
    (spread * size ** 2) / (size - 1);
  const pooled = several.reduce((sum, one) => sum + (one.mass / massOf) * rowVariance(one), 0);
  const variance = steps.map((one) => {
    if (!(one.size > 0)) return 0;
    return one.size > 1 + 1e-9 ? rowVariance(one) / one.size : several.length > 0 ? pooled : Number.NaN;
  });
  const { errors, size } = centring(position, weights, after, dot(after, shares));
  const own = dot(errors, errors);
  const shared = sharedErrors(local, weights, steps, errors);
  // the centring mean takes from step k the share of the weight that lies past it
  const past = new Float64Array(K);
  for (let k = K - 1, above = 0; k >= 0; k--) {
    above += shares[k + 1] as number;
    past[k] = above;
  }
  const quantile = interpolateTQuantile(quantiles, Math.max(size - K, 1));
  return Float64Array.from({ length: K + 1 }, (_, g) => {
    const centred = variance.reduce((all, v, k) => {
      const moved = (k < g ? 1 : 0) - (past[k] as number);
      return all + moved * (moved * v - 2 * (shared[k] as number));
    }, own);
    return quantile * Math.sqrt(Math.max(0, centred));
  });
}

/**
 * @param value the centred curve as it is
 * @param base weights it was computed with; null where all rows count alike
 */
export function binNumbers(
  value: Float32Array,
  bins: Bins,
  base: Float64Array | null,
  quantiles: Quantiles,
): EffectNumbers {
  const { local, lipschitz, points, position } = bins;
  const K = nGroups(local);
  const sorted = lazily(K, (k) => {
    const { values, weights } = members(local, k, base);
    return weights.some((w) => w > 0) ? new SortedMeans(values, base && weights) : null;
  });
  const equal = base ?? new Float64Array(position.length).fill(1);
  const before = accumulate(Array.from({ length: K }, (_, k) => moments(local, k, equal).mean));

  /** Bounds for a distance inside each bin, standing on a first point at `shift`. */
  const bounds = (distance: (bin: number) => number, shift: number) => {
    const ranges = Array.from({ length: K }, (_, k) => sorted.at(k)?.moved(distance(k)) ?? [0, 0]);
    const raised = (side: 0 | 1) => accumulate(ranges.map((range) => range[side])).map((sum) => sum + shift);
    const certified: Band = { lower: raised(0), upper: raised(1) };
    if (lipschitz === null || !points) return { certified, paper: null };
    const most = largest(K, distance);
    const start = points[0] as number;
    const half = (g: number) => 2 * lipschitz * ((points[g] as number) - start) * most;
    return {
      certified,
      paper: around(
        before.map((sum) => sum + shift),
        half,
      ),
    };
  };
  return {
    bounds: (epsilon) => bounds(() => epsilon, value[0] as number),
    under(weights) {
      const steps = Array.from({ length: K }, (_, k) => moments(local, k, weights));
      const after = accumulate(steps.map(({ mean }) => mean));
      const shares = pointShares(position, weights, K + 1);
      const shift = -dot(after, shares);
      const half = halfWidths(bins, weights, shares, after, steps, quantiles);
      const centred = after.map((sum) => sum + shift);
      const curve: Curve = {
        value: centred,
        lower: centred.map((sum, g) => sum - (half[g] as number)),
        upper: centred.map((sum, g) => sum + (half[g] as number)),
      };
      const distances = Array.from({ length: K }, (_, k) => {
        const moved = groupDistance(local, k, weights, base);
        return Number.isNaN(moved) ? 0 : Math.min(1, moved);
      });
      const at = bounds((k) => distances[k] as number, shift);
      return {
        curve,
        ...at,
        change: largest(K + 1, (g) => Math.abs((after[g] as number) - (before[g] as number))),
        possible: largestDistance(
          before.map((sum) => sum + shift),
          at.certified,
        ),
      };
    },
    prepare: sorted.prepare,
  };
}
