/** The regression of a metric's influence on the columns of Φ under the weights, and what it leaves. */

import type { Problem } from "./dual";
import { cholesky, independent, solveCholesky, submatrix } from "./matrices";
import { dot } from "./newton";
import { combination, product, secondMoments, squaredNorms } from "./row_sums";

/** Share of a column's variance under the weights below which it is one that they have left. */
export const FLAT = 1e-10;

/** What the weights leave of Φ: its independent columns, with the inverse of their second moments. */
interface Regression {
  readonly kept: readonly number[];
  readonly columns: readonly Float64Array[];
  readonly factor: Float64Array;
  /** Size of each column of Φ under the weights. */
  readonly size: Float64Array;
  /** Of columns of size 1, orthonormal combinations that are nothing under the weights. */
  readonly flat: readonly Float64Array[];
}

function regression({ columns }: Problem, share: Float64Array, known: Float64Array | null): Regression {
  const k = columns.length;
  const second = known ?? secondMoments(columns, share); // at the targets a covariance is that already
  const size = Float64Array.from(
    { length: k },
    (_, j) => Math.sqrt(Math.max(second[j * k + j] as number, 0)) || 1,
  );
  const scaled = second.map(
    (value, at) => value / ((size[Math.floor(at / k)] as number) * (size[at % k] as number)),
  );
  const { kept, follows } = independent(scaled, k, FLAT);
  const factor = cholesky(submatrix(second, k, kept), kept.length);
  if (!factor) return { kept: [], columns: [], factor: new Float64Array(0), size, flat: [] };
  const flat: Float64Array[] = [];
  for (const [j, slopes] of follows) {
    const direction = new Float64Array(k);
    direction[j] = 1;
    slopes.forEach((slope, l) => {
      direction[kept[l] as number] = -slope;
    });
    removeAlong(direction, flat);
    const length = Math.sqrt(dot(direction, direction));
    flat.push(direction.map((value) => value / length));
  }
  return { kept, columns: kept.map((j) => columns[j] as Float64Array), factor, size, flat };
}

/** Take from a vector what it has of some directions. */
function removeAlong(vector: Float64Array, directions: readonly Float64Array[]): void {
  for (const direction of directions) {
    const part = dot(vector, direction);
    for (let j = 0; j < vector.length; j++) (vector[j] as number) -= part * (direction[j] as number);
  }
}

/** Slopes on all columns from those on the kept ones: where several explain the same, the shortest. */
function spreadSlopes(found: Float64Array, { kept, size, flat }: Regression): Float64Array {
  const slopes = new Float64Array(size.length);
  kept.forEach((j, l) => {
    slopes[j] = (found[l] as number) * (size[j] as number);
  });
  removeAlong(slopes, flat);
  return slopes.map((slope, j) => slope / (size[j] as number));
}

/** Σ w² r² and Σ w³ (o + d) r² of the residuals r; o is 1 where a row counts in the metric's own mean. */
function squaredResiduals(
  values: Float64Array,
  fitted: Float64Array,
  share: Float64Array,
  distance: Float64Array,
  own: Float64Array | null,
): { readonly plain: number; readonly levered: number } {
  let [plain, levered] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const w = share[i] as number;
    const residual = w * ((values[i] as number) - (fitted[i] as number));
    const squared = residual * residual;
    plain += squared;
    levered += squared * w * ((own ? (own[i] as number) : 1) + (distance[i] as number));
  }
  return { plain, levered };
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (a[i] as number) * (b[i] as number);
}

/** How much of the influence is left once what the columns explain is taken out, squared and summed. */
export function createResidual(
  problem: Problem,
  share: Float64Array,
  known: Float64Array | null,
  own: Float64Array | null = null,
) {
  const { n } = problem;
  const fit = regression(problem, share, known);
  const { columns, factor } = fit;
  const distance = squaredNorms(columns, factor, n);
  const scratch = new Float64Array(n);
  return (values: Float64Array) => {
    multiply(share, values, scratch);
    const products = columns.map((column) => product(scratch, column));
    const found = solveCholesky(factor, columns.length, products);
    const fitted = combination(columns, found, scratch);
    return { slopes: spreadSlopes(found, fit), ...squaredResiduals(values, fitted, share, distance, own) };
  };
}
