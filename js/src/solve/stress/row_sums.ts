/** Sums over many rows of few columns, written so that a value once read serves several sums. */

type Columns = readonly Float64Array[];

/** Σ a b, four sums side by side. */
export function product(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  const whole = n - (n % 4);
  let [p, q, r, s] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    p += (a[i] as number) * (b[i] as number);
    q += (a[i + 1] as number) * (b[i + 1] as number);
    r += (a[i + 2] as number) * (b[i + 2] as number);
    s += (a[i + 3] as number) * (b[i + 3] as number);
  }
  for (let i = whole; i < n; i++) p += (a[i] as number) * (b[i] as number);
  return p + q + (r + s);
}

/** Σ_j slope_j column_j of every row; `out` is written over and returned. */
export function combination(columns: Columns, slopes: ArrayLike<number>, out: Float64Array): Float64Array {
  out.fill(0);
  let j = 0;
  for (; j + 3 < columns.length; j += 4) {
    const [a, b, c, d] = columns.slice(j, j + 4) as [Float64Array, Float64Array, Float64Array, Float64Array];
    const [p, q, r, s] = [slopes[j], slopes[j + 1], slopes[j + 2], slopes[j + 3]] as [
      number,
      number,
      number,
      number,
    ];
    for (let i = 0; i < out.length; i++) {
      const first = p * (a[i] as number) + q * (b[i] as number);
      out[i] = (out[i] as number) + first + (r * (c[i] as number) + s * (d[i] as number));
    }
  }
  for (; j < columns.length; j++) {
    const [a, p] = [columns[j] as Float64Array, slopes[j] as number];
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + p * (a[i] as number);
  }
  return out;
}

/** Σ w z zᵀ, k × k: eight rows at a time, their values side by side, so that a sum is touched once for all of them. */
export function secondMoments(columns: Columns, weights: Float64Array): Float64Array {
  const [n, k] = [weights.length, columns.length];
  const second = new Float64Array(k * k);
  const whole = n - (n % 8);
  const z = new Float64Array(8 * k);
  for (let start = 0; start < whole; start += 8) {
    for (let a = 0; a < k; a++) {
      const first = columns[a] as Float64Array;
      const at = 8 * a;
      z[at] = first[start] as number;
      z[at + 1] = first[start + 1] as number;
      z[at + 2] = first[start + 2] as number;
      z[at + 3] = first[start + 3] as number;
      z[at + 4] = first[start + 4] as number;
      z[at + 5] = first[start + 5] as number;
      z[at + 6] = first[start + 6] as number;
      z[at + 7] = first[start + 7] as number;
    }
    for (let a = 0; a < k; a++) {
      const at = 8 * a;
      const p0 = (weights[start] as number) * (z[at] as number);
      const p1 = (weights[start + 1] as number) * (z[at + 1] as number);
      const p2 = (weights[start + 2] as number) * (z[at + 2] as number);
      const p3 = (weights[start + 3] as number) * (z[at + 3] as number);
      const p4 = (weights[start + 4] as number) * (z[at + 4] as number);
      const p5 = (weights[start + 5] as number) * (z[at + 5] as number);
      const p6 = (weights[start + 6] as number) * (z[at + 6] as number);
      const p7 = (weights[start + 7] as number) * (z[at + 7] as number);
      for (let b = 0; b <= a; b++) {
        const by = 8 * b;
        const first = p0 * (z[by] as number) + p1 * (z[by + 1] as number);
        const next = p2 * (z[by + 2] as number) + p3 * (z[by + 3] as number);
        const third = p4 * (z[by + 4] as number) + p5 * (z[by + 5] as number);
        const last = p6 * (z[by + 6] as number) + p7 * (z[by + 7] as number);
        (second[a * k + b] as number) += first + next + (third + last);
      }
    }
  }
  for (let i = whole; i < n; i++) {
    for (let a = 0; a < k; a++) {
      const scaled = (weights[i] as number) * (columns[a]?.[i] as number);
      for (let b = 0; b <= a; b++) (second[a * k + b] as number) += scaled * (columns[b]?.[i] as number);
    }
  }
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < a; b++) second[b * k + a] = second[a * k + b] as number;
  }
  return second;
}

/** ‖L⁻¹ z‖² of every row, by forward substitution: four rows and two columns at a time. */
export function squaredNorms(columns: Columns, lower: Float64Array, n: number): Float64Array {
  const k = columns.length;
  const out = new Float64Array(n);
  const solved = new Float64Array(4 * (k + 1));
  const nothing = new Float64Array(n); // beside the last column where their number is odd
  for (let group = 0; group < n; group += 4) {
    const start = Math.max(0, Math.min(group, n - 4)); // the last group may repeat rows of the one before
    let [d0, d1, d2, d3] = [0, 0, 0, 0];
    for (let a = 0; a < k; a += 2) {
      const paired = a + 1 < k;
      const current = columns[a] as Float64Array;
      const next = paired ? (columns[a + 1] as Float64Array) : nothing;
      let s0 = current[start] as number;
      let s1 = current[start + 1] as number;
      let s2 = current[start + 2] as number;
      let s3 = current[start + 3] as number;
      let t0 = next[start] as number;
      let t1 = next[start + 1] as number;
      let t2 = next[start + 2] as number;
      let t3 = next[start + 3] as number;
      const row = a * k;
      const below = paired ? row + k : row;
      for (let b = 0; b < a; b++) {
        const slope = lower[row + b] as number;
        const other = lower[below + b] as number;
        const at = 4 * b;
        const z0 = solved[at] as number;
        const z1 = solved[at + 1] as number;
        const z2 = solved[at + 2] as number;
        const z3 = solved[at + 3] as number;
        s0 -= slope * z0;
        s1 -= slope * z1;
        s2 -= slope * z2;
        s3 -= slope * z3;
        t0 -= other * z0;
        t1 -= other * z1;
        t2 -= other * z2;
        t3 -= other * z3;
      }
      const inverse = 1 / (lower[row + a] as number);
      const at = 4 * a;
      solved[at] = s0 *= inverse;
      solved[at + 1] = s1 *= inverse;
      solved[at + 2] = s2 *= inverse;
      solved[at + 3] = s3 *= inverse;
      d0 += s0 * s0;
      d1 += s1 * s1;
      d2 += s2 * s2;
      d3 += s3 * s3;
      if (!paired) continue;
      const slope = lower[below + a] as number;
      const inverseNext = 1 / (lower[below + a + 1] as number);
      solved[at + 4] = t0 = (t0 - slope * s0) * inverseNext;
      solved[at + 5] = t1 = (t1 - slope * s1) * inverseNext;
      solved[at + 6] = t2 = (t2 - slope * s2) * inverseNext;
      solved[at + 7] = t3 = (t3 - slope * s3) * inverseNext;
      d0 += t0 * t0;
      d1 += t1 * t1;
      d2 += t2 * t2;
      d3 += t3 * t3;
    }
    out[start] = d0;
    out[start + 1] = d1;
    out[start + 2] = d2;
    out[start + 3] = d3;
  }
  return out;
}
