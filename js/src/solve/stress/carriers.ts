/** Whether a few rows carry the weight that a stress moved; the same rule as `tauscope.weights.carriers`. */

import { STANDS_OUT, TIED } from "./concentration";

/** Carriers: enough from the first, some from the second. */
export const MIN_CARRIERS = 30;
export const MIN_CARRIERS_WIDE = 10;
/** Carriers hold at least so many times what they did. */
export const GROWN = 5;

/** The fewest rows that hold half of the weight moved, and their share of all; both 0 where they are not few. */
export interface Carriers {
  readonly n: number;
  readonly share: number;
}

export const NO_FEW: Carriers = { n: 0, share: 0 };

function mostCarriers(nRows: number): number {
  const tail = Math.ceil(Math.min(0.2 * nRows, 3 * Math.sqrt(nRows)));
  return Math.max(Math.min(MIN_CARRIERS - 1, tail, nRows - 1), 1);
}

/** Places of the largest of some values, largest first; the earlier of equal ones. */
function largest(values: Float64Array, size: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (places.length === size && value <= (values[places[size - 1] as number] as number)) continue;
    let at = places.length;
    while (at > 0 && (values[places[at - 1] as number] as number) < value) at--;
    places.splice(at, 0, i);
    if (places.length > size) places.pop();
  }
  return places;
}

/**
 * The few rows that carry the weight moved.
 *
 * @param share weights that sum to 1
 * @param base what they were moved from, summing to 1; null where all had the same
 */
export function fewCarriers(share: Float64Array, base: Float64Array | null = null): Carriers {
  const n = share.length;
  const before = (row: number) => (base ? (base[row] as number) : 1 / n);
  const gain = share.map((part, row) => part - before(row));
  const moved = gain.reduce((sum, one) => sum + Math.abs(one), 0) / 2;
  if (!(moved >= STANDS_OUT)) return NO_FEW;
  const most = mostCarriers(base ? base.reduce((sum, part) => sum + (part > 0 ? 1 : 0), 0) : n);
  const rows = largest(gain, most + 1);
  let [gained, held] = [0, 0];
  for (let k = 0; k < rows.length - 1; k++) {
    const [row, next] = [rows[k] as number, rows[k + 1] as number];
    const own = gain[row] as number;
    gained += own;
    held += share[row] as number;
    const apart = own - (gain[next] as number) > TIED * Math.abs(own);
    if (!apart || gained < 0.5 * moved * (1 - TIED)) continue;
    const few = gained >= STANDS_OUT && held >= GROWN * (held - gained);
    return few ? { n: k + 1, share: held } : NO_FEW;
  }
  return NO_FEW;
}
