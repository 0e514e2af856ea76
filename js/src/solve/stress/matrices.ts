/** Small symmetric matrices, row after row in one array. */

/** Lower triangular L with L Lᵀ = A, or null where A is not positive definite. */
export function cholesky(a: Float64Array, k: number): Float64Array | null {
  const lower = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * k + j] as number;
      for (let m = 0; m < j; m++) sum -= (lower[i * k + m] as number) * (lower[j * k + m] as number);
      if (i === j) {
        if (!(sum > 0)) return null;
        lower[i * k + i] = Math.sqrt(sum);
      } else lower[i * k + j] = sum / (lower[j * k + j] as number);
    }
  }
  return lower;
}

/** x with L x = b. */
export function solveLower(lower: Float64Array, k: number, b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(k);
  for (let i = 0; i < k; i++) {
    let sum = b[i] as number;
    for (let m = 0; m < i; m++) sum -= (lower[i * k + m] as number) * (x[m] as number);
    x[i] = sum / (lower[i * k + i] as number);
  }
  return x;
}

/** x with L Lᵀ x = b. */
export function solveCholesky(lower: Float64Array, k: number, b: ArrayLike<number>): Float64Array {
  const x = solveLower(lower, k, b);
  for (let i = k - 1; i >= 0; i--) {
    let sum = x[i] as number;
    for (let m = i + 1; m < k; m++) sum -= (lower[m * k + i] as number) * (x[m] as number);
    x[i] = sum / (lower[i * k + i] as number);
  }
  return x;
}

/** The rows and columns `kept` of a matrix of size k. */
export function submatrix(a: Float64Array, k: number, kept: readonly number[]): Float64Array {
  const out = new Float64Array(kept.length ** 2);
  kept.forEach((row, i) => {
    kept.forEach((column, j) => {
      out[i * kept.length + j] = a[row * k + column] as number;
    });
  });
  return out;
}

export interface Dependence {
  /** Columns of which none follows from those before it, ascending. */
  readonly kept: number[];
  /** For each column left out, its slopes on the kept ones before it. */
  readonly follows: ReadonlyMap<number, Float64Array>;
}

/**
 * Choose columns of which none is a linear function of those before it.
 *
 * @param covariance of columns whose variance is about 1; one without variance follows from nothing
 * @param least share of a column's variance that the others must leave it
 */
export function independent(covariance: Float64Array, k: number, least: number): Dependence {
  const kept: number[] = [];
  const follows = new Map<number, Float64Array>();
  const rows: Float64Array[] = []; // of the Cholesky factor, one per kept column
  for (let j = 0; j < k; j++) {
    const variance = covariance[j * k + j] as number;
    const m = kept.length;
    const along = new Float64Array(m + 1);
    let left = variance;
    for (let i = 0; i < m; i++) {
      const row = rows[i] as Float64Array;
      let sum = covariance[(kept[i] as number) * k + j] as number;
      for (let l = 0; l < i; l++) sum -= (row[l] as number) * (along[l] as number);
      along[i] = sum / (row[i] as number);
      left -= (along[i] as number) ** 2;
    }
    if (left > least * variance && variance > 0) {
      along[m] = Math.sqrt(left);
      rows.push(along);
      kept.push(j);
      continue;
    }
    const slopes = new Float64Array(m);
    for (let i = m - 1; i >= 0; i--) {
      let sum = along[i] as number;
      for (let l = i + 1; l < m; l++) sum -= ((rows[l] as Float64Array)[i] as number) * (slopes[l] as number);
      slopes[i] = sum / ((rows[i] as Float64Array)[i] as number);
    }
    follows.set(j, slopes);
  }
  return { kept, follows };
}
