/** Values of some rows in some groups, and their weighted means: what windows and bins have in common. */

import type { Moments } from "./intervals";

export interface Groups {
  /** Where each group begins among the values, and the end of the last. */
  readonly starts: readonly number[];
  readonly rows: Uint32Array;
  readonly values: Float32Array;
}

export const nGroups = ({ starts }: Groups): number => Math.max(0, starts.length - 1);

/** The values of one group, and the weights of their rows (null: all 1). */
export function members(
  { starts, rows, values }: Groups,
  group: number,
  weights: Float64Array | null,
): { values: Float64Array; weights: Float64Array } {
  const [from, to] = [starts[group] as number, starts[group + 1] as number];
  return {
    values: Float64Array.from(values.subarray(from, to)),
    weights: Float64Array.from(rows.subarray(from, to), (row) => (weights ? (weights[row] as number) : 1)),
  };
}

/** The weighted mean of a group with what its interval needs; NaN without weight. */
export function moments(groups: Groups, group: number, weights: Float64Array): Moments & { mass: number } {
  const { starts, rows, values } = groups;
  const [from, to] = [starts[group] as number, starts[group + 1] as number];
  const first = values[from] ?? 0;
  let [mass, size, sum, products, squares] = [0, 0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const w = weights[rows[k] as number] as number;
    const v = (values[k] as number) - first;
    mass += w;
    size += w * w;
    sum += w * v;
    products += w * w * v;
    squares += w * w * v * v;
  }
  const shift = sum / mass;
  return {
    mean: first + shift,
    spread: (squares - 2 * shift * products + shift ** 2 * size) / mass ** 2,
    size: size > 0 ? mass ** 2 / size : 0,
    mass,
  };
}

/** Total variation between two weightings inside a group; NaN where one of them has no weight there. */
export function groupDistance(
  { starts, rows }: Groups,
  group: number,
  weights: Float64Array,
  base: Float64Array | null,
): number {
  const members = rows.subarray(starts[group] as number, starts[group + 1] as number);
  let [after, before] = [0, 0];
  for (const row of members) {
    after += weights[row] as number;
    before += base ? (base[row] as number) : 1;
  }
  if (!(after > 0 && before > 0)) return Number.NaN;
  let distance = 0;
  for (const row of members) {
    distance += Math.abs((weights[row] as number) / after - (base ? (base[row] as number) : 1) / before);
  }
  return distance / 2;
}
