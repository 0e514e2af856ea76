/** Directions of many rows in one, under other weights; the same numbers as `tauscope.boundary.pooled`. */

import type { Pooled, RowDirections, Weights } from "../../wire/boundary/pooled";
import type { PooledFactsMessage } from "../../wire/messages";
import { degreesOfFreedom } from "../stress/concentration";
import { MIN_SIZE, tQuantile } from "../student_t";

/** A part of the pooled direction, and the sums of squares that its intervals rest on. */
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

function newSums(p: number): Sums {
  return { value: new Float64Array(p), squares: new Float64Array(p) };
}

/** The shares of weight of the rows that have any, which is what both passes go over. */
interface Counted {
  readonly row: Int32Array;
  readonly share: Float64Array;
  readonly size: number;
}

function countRows(own: Float64Array): Counted | null {
  let [total, squared] = [0, 0];
  for (const weight of own) {
    total += weight;
    squared += weight * weight;
  }
  if (!(total > 0)) return null;
  const row = Int32Array.from(own.keys()).filter((i) => (own[i] as number) > 0);
  return {
    row,
    share: Float64Array.from(row, (i) => (own[i] as number) / total),
    size: total ** 2 / squared,
  };
}

/** Weighted means of the directions, and of the parts of rows that have a feature. */
function sumRows({ directions, presence }: RowDirections, { row, share }: Counted, shape: PooledShape) {
  const { nFeatures: p, parted } = shape;
  const whole = new Float64Array(p);
  const having = new Float64Array(parted.length);
  for (let k = 0; k < row.length; k++) {
    const at = (row[k] as number) * p;
    const w = share[k] as number;
    for (let j = 0; j < p; j++) whole[j] = (whole[j] as number) + w * (directions[at + j] as number);
    const mark = (row[k] as number) * parted.length;
    for (let c = 0; c < parted.length; c++) {
      if (presence[mark + c] === 1)
        having[c] = (having[c] as number) + w * (directions[at + (parted[c] as number)] as number);
    }
  }
  return { whole, having };
}

/** Direction of length 1 and its parts; `length` is what it had. */
function scaledParts({ whole, having }: ReturnType<typeof sumRows>, { nFeatures: p, parted }: PooledShape) {
  const length = Math.sqrt(whole.reduce((sum, value) => sum + value * value, 0));
  const unit = whole.map((value) => value / (length || 1));
  const parts = { direction: newSums(p), present: newSums(p), absent: newSums(p) };
  parts.direction.value.set(unit);
  parts.present.value.set(unit);
  parted.forEach((j, c) => {
    parts.present.value[j] = (having[c] as number) / (length || 1);
    parts.absent.value[j] = (unit[j] as number) - (parts.present.value[j] as number);
  });
  return { parts, length };
}

/** Add up how far each row moves each part, squared; returns the weighted mean cosine with the direction. */
function addSquares(
  { directions, presence }: RowDirections,
  { row, share }: Counted,
  { nFeatures: p, parted }: PooledShape,
  parts: ReturnType<typeof scaledParts>["parts"],
): number {
  const { value: unit, squares } = parts.direction;
  let agreement = 0;
  for (let k = 0; k < row.length; k++) {
    const at = (row[k] as number) * p;
    const w = share[k] as number;
    let [along, norm] = [0, 0];
    for (let j = 0; j < p; j++) {
      const entry = directions[at + j] as number;
      along += entry * (unit[j] as number);
      norm += entry * entry;
    }
    agreement += (w * along) / Math.sqrt(norm);
    const alongW = w * along;
    for (let j = 0; j < p; j++) {
      const moved = w * (directions[at + j] as number) - alongW * (unit[j] as number);
      squares[j] = (squares[j] as number) + moved * moved;
    }
    const mark = (row[k] as number) * parted.length;
    for (let c = 0; c < parted.length; c++) {
      const j = parted[c] as number;
      const entry = w * (directions[at + j] as number);
      const has = presence[mark + c] === 1;
      const present = (has ? entry : 0) - alongW * (parts.present.value[j] as number);
      const absent = (has ? 0 : entry) - alongW * (parts.absent.value[j] as number);
      parts.present.squares[j] = (parts.present.squares[j] as number) + present * present;
      parts.absent.squares[j] = (parts.absent.squares[j] as number) + absent * absent;
    }
  }
  const apart = new Set(parted);
  for (let j = 0; j < p; j++) if (!apart.has(j)) parts.present.squares[j] = squares[j] as number;
  return agreement;
}

/** Cosine of each row's direction with one of length 1. */
export function cosines({ directions, places }: RowDirections, unit: Float64Array): Float64Array {
  const p = unit.length;
  return Float64Array.from(places, (_, k) => {
    let [along, norm] = [0, 0];
    for (let j = 0; j < p; j++) {
      const entry = directions[k * p + j] as number;
      along += entry * (unit[j] as number);
      norm += entry * entry;
    }
    return along / Math.sqrt(norm);
  });
}

function withEnds({ value, squares }: Sums, half: (sum: number) => number): Weights {
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
  rows: RowDirections,
  weights: Float64Array,
  shape: PooledShape,
): { readonly pooled: Pooled; readonly facts: PooledFactsMessage } | null {
  const own = Float64Array.from(rows.places, (place) => weights[place] as number);
  const counted = countRows(own);
  if (!counted) return null;
  const { size } = counted;
  const { parts, length } = scaledParts(sumRows(rows, counted, shape), shape);
  const agreement = addSquares(rows, counted, shape, parts);
  const known = length > 0 && size >= MIN_SIZE;
  const scale = known ? size / (size - 1) / length ** 2 : Number.NaN;
  const quantile = known ? tQuantile(size - 1, shape.confidence) : Number.NaN;
  const half = (sum: number) => quantile * Math.sqrt(scale * sum);
  const wobble = Math.sqrt(scale * parts.direction.squares.reduce((a, b) => a + b, 0));
  const share = own.reduce((a, b) => a + b, 0) / weights.length;
  return {
    pooled: {
      direction: withEnds(parts.direction, half),
      present: withEnds(parts.present, half),
      absent: withEnds(parts.absent, half),
    },
    facts: { n: counted.row.length, size, df: degreesOfFreedom(own), share, agreement, wobble },
  };
}
