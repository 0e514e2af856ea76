/** Directions of many rows in one, under other weights; the same numbers as `tauscope.boundary.pooled`. */

import type { Facts, Pooled, PooledRows, Weights } from "../../wire/boundary/pooled";
import { degreesOfFreedom } from "../stress/concentration";
import { tQuantile } from "../student_t";

/** Effective rows below which there is no interval. */
export const FEWEST = 2 - 1e-9;

/** A part of the pooled direction, and the sum of squares that its interval rests on. */
interface Sums {
  readonly value: Float64Array;
  readonly squares: Float64Array;
}

export interface PooledShape {
  readonly nFeatures: number;
  /** Positions of the features that weigh in some row without them. */
  readonly parted: readonly number[];
  readonly confidence: number;
}

/** Whether a row has a feature, by position; one that is not parted is taken for present, its part being 0 else. */
function presenceOf({ presence }: PooledRows, { nFeatures, parted }: PooledShape) {
  const column = new Int32Array(nFeatures).fill(-1);
  parted.forEach((feature, k) => {
    column[feature] = k;
  });
  return (row: number, feature: number): boolean => {
    const k = column[feature] as number;
    return k < 0 || presence[row * parted.length + k] === 1;
  };
}

function newSums(p: number): Sums {
  return { value: new Float64Array(p), squares: new Float64Array(p) };
}

function withEnds({ value, squares }: Sums, half: (variance: number) => number): Weights {
  const reach = squares.map(half);
  return {
    value,
    lower: value.map((one, j) => one - (reach[j] as number)),
    upper: value.map((one, j) => one + (reach[j] as number)),
  };
}

/**
 * Pool rows by weights of all the study's rows, mean 1; null where none of these rows has weight.
 *
 * Two passes: the weighted mean m of the rows' directions, then how each row moves m/‖m‖ to first order.
 */
export function poolRows(
  rows: PooledRows,
  weights: Float64Array,
  shape: PooledShape,
): { readonly pooled: Pooled; readonly facts: Facts } | null {
  const { places, directions } = rows;
  const { nFeatures: p } = shape;
  const has = presenceOf(rows, shape);
  const own = Float64Array.from(places, (place) => weights[place] as number);
  let [total, squared, n] = [0, 0, 0];
  for (const weight of own) {
    total += weight;
    squared += weight * weight;
    if (weight > 0) n += 1;
  }
  if (!(total > 0)) return null;
  const parts = { direction: newSums(p), present: newSums(p), absent: newSums(p) };
  for (let i = 0; i < own.length; i++) {
    const share = (own[i] as number) / total;
    if (share === 0) continue;
    for (let j = 0; j < p; j++) {
      const moved = share * (directions[i * p + j] as number);
      const part = (has(i, j) ? parts.present : parts.absent).value;
      part[j] = (part[j] as number) + moved;
    }
  }
  for (let j = 0; j < p; j++) {
    parts.direction.value[j] = (parts.present.value[j] as number) + (parts.absent.value[j] as number);
  }
  const length = Math.sqrt(parts.direction.value.reduce((sum, value) => sum + value * value, 0));
  for (const { value } of Object.values(parts))
    for (let j = 0; j < p; j++) value[j] = (value[j] as number) / (length || 1);

  const size = total ** 2 / squared;
  let agreement = 0;
  for (let i = 0; i < own.length; i++) {
    const share = (own[i] as number) / total;
    if (share === 0) continue;
    let [along, norm] = [0, 0];
    for (let j = 0; j < p; j++) {
      const entry = directions[i * p + j] as number;
      along += entry * (parts.direction.value[j] as number);
      norm += entry * entry;
    }
    agreement += (share * along) / Math.sqrt(norm);
    for (let j = 0; j < p; j++) {
      const entry = directions[i * p + j] as number;
      const there = has(i, j);
      const add = ({ value, squares }: Sums, counted: number) => {
        squares[j] = (squares[j] as number) + (share * (counted - (value[j] as number) * along)) ** 2;
      };
      add(parts.direction, entry);
      add(parts.present, there ? entry : 0);
      add(parts.absent, there ? 0 : entry);
    }
  }
  const known = length > 0 && size >= FEWEST;
  const scale = known ? size / (size - 1) / length ** 2 : Number.NaN;
  const quantile = known ? tQuantile(size - 1, shape.confidence) : Number.NaN;
  const half = (sum: number) => quantile * Math.sqrt(scale * sum);
  const wobble = Math.sqrt(scale * parts.direction.squares.reduce((a, b) => a + b, 0));
  return {
    pooled: {
      direction: withEnds(parts.direction, half),
      present: withEnds(parts.present, half),
      absent: withEnds(parts.absent, half),
    },
    facts: { n, size, df: degreesOfFreedom(own), share: total / weights.length, agreement, wobble },
  };
}
