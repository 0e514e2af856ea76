/**
 * Linear programs over the weights: y ≥ 0 with Σ_i y_i a_i = b, many columns a_i and few equations.
 *
 * Revised simplex: each round prices every column with the duals, so it costs one pass over the rows. The right
 * side is moved by a ten-millionth to keep ties from stalling it; answers are good to about as much.
 */

/** One array per equation: its coefficient in every column. */
export type Equations = readonly Float64Array[];

export interface Vertex {
  readonly equations: Equations;
  readonly right: Float64Array;
  /** Basic column of each equation; -1 - r for the artificial one of equation r. */
  readonly basis: Int32Array;
  readonly inverse: Float64Array;
  readonly values: Float64Array;
}

const NUDGE = 1e-7;
const FLAT = 1e-9;
/** Sum of what is missing from the equations that still counts as none. */
const MISSING = 1e-6;
const REFRESH = 40;
/** How many columns are taken into the pool at once, at most. */
const STRETCHES = 64;

function nudged(right: ArrayLike<number>): Float64Array {
  return Float64Array.from(right, (value, r) => value + NUDGE * (0.3 + (((r + 1) * 0.618034) % 1)));
}

function column({ equations }: Vertex, which: number, out: Float64Array): void {
  if (which >= 0)
    equations.forEach((row, r) => {
      out[r] = row[which] as number;
    });
  else out.fill(0)[-1 - which] = 1;
}

/** Solve anew for the inverse of the basis; false where it has become singular. */
function refresh(vertex: Vertex): boolean {
  const m = vertex.basis.length;
  const work = new Float64Array(m * m);
  const inverse = new Float64Array(m * m);
  const one = new Float64Array(m);
  for (let c = 0; c < m; c++) {
    column(vertex, vertex.basis[c] as number, one);
    for (let r = 0; r < m; r++) work[r * m + c] = one[r] as number;
    inverse[c * m + c] = 1;
  }
  for (let c = 0; c < m; c++) {
    let pivot = c;
    for (let r = c + 1; r < m; r++) {
      if (Math.abs(work[r * m + c] as number) > Math.abs(work[pivot * m + c] as number)) pivot = r;
    }
    const size = work[pivot * m + c] as number;
    if (Math.abs(size) < 1e-13) return false;
    for (const matrix of [work, inverse]) {
      for (let j = 0; j < m; j++) {
        const swapped = matrix[c * m + j] as number;
        matrix[c * m + j] = (matrix[pivot * m + j] as number) / size;
        if (pivot !== c) matrix[pivot * m + j] = swapped;
      }
    }
    for (let r = 0; r < m; r++) {
      const factor = work[r * m + c] as number;
      if (r === c || factor === 0) continue;
      for (let j = 0; j < m; j++) {
        (work[r * m + j] as number) -= factor * (work[c * m + j] as number);
        (inverse[r * m + j] as number) -= factor * (inverse[c * m + j] as number);
      }
    }
  }
  vertex.inverse.set(inverse);
  for (let r = 0; r < m; r++) {
    let sum = 0;
    for (let j = 0; j < m; j++) sum += (inverse[r * m + j] as number) * (vertex.right[j] as number);
    vertex.values[r] = Math.max(sum, 0);
  }
  return true;
}

/** Bring a column into the basis; false where nothing leaves it, or no step can be made. */
function pivot(vertex: Vertex, entering: number): boolean {
  const { basis, inverse, values } = vertex;
  const m = basis.length;
  const raw = new Float64Array(m);
  column(vertex, entering, raw);
  const along = new Float64Array(m);
  for (let r = 0; r < m; r++) {
    let sum = 0;
    for (let j = 0; j < m; j++) sum += (inverse[r * m + j] as number) * (raw[j] as number);
    along[r] = sum;
  }
  let leaving = -1;
  let shortest = Infinity;
  for (let r = 0; r < m; r++) {
    const slope = along[r] as number;
    const stuck = (basis[r] as number) < 0 && (values[r] as number) <= MISSING && slope < -FLAT;
    if (slope <= FLAT && !stuck) continue;
    const ratio = stuck ? 0 : (values[r] as number) / slope;
    const tied = ratio <= shortest + 1e-12;
    const steeper = leaving < 0 || Math.abs(slope) > Math.abs(along[leaving] as number);
    if (ratio < shortest - 1e-12 || (tied && steeper)) {
      leaving = r;
      shortest = Math.min(ratio, shortest);
    }
  }
  if (leaving < 0) return false;
  const size = along[leaving] as number;
  const step = (basis[leaving] as number) < 0 && size < 0 ? 0 : (values[leaving] as number) / size;
  for (let j = 0; j < m; j++) (inverse[leaving * m + j] as number) /= size;
  for (let r = 0; r < m; r++) {
    if (r === leaving) continue;
    const factor = along[r] as number;
    values[r] = Math.max((values[r] as number) - step * factor, 0);
    if (factor === 0) continue;
    for (let j = 0; j < m; j++) {
      (inverse[r * m + j] as number) -= factor * (inverse[leaving * m + j] as number);
    }
  }
  values[leaving] = step;
  basis[leaving] = entering;
  return true;
}

/** Duals of the basis for costs of its columns. */
function duals({ basis, inverse }: Vertex, cost: (which: number) => number): Float64Array {
  const m = basis.length;
  const out = new Float64Array(m);
  basis.forEach((which, r) => {
    const price = cost(which);
    if (price !== 0) for (let j = 0; j < m; j++) (out[j] as number) += price * (inverse[r * m + j] as number);
  });
  return out;
}

/** Value of every column at some prices. */
function priced(equations: Equations, prices: Float64Array, out: Float64Array): void {
  out.fill(0);
  equations.forEach((row, r) => {
    const price = prices[r] as number;
    if (price === 0) return;
    for (let i = 0; i < row.length; i++) (out[i] as number) += price * (row[i] as number);
  });
}

/** The columns that gain most, one from each of some stretches of them. */
function gaining(gain: (column: number) => number, n: number, least: number): number[] {
  const width = Math.ceil(n / STRETCHES);
  const found: number[] = [];
  for (let start = 0; start < n; start += width) {
    let best = -1;
    let most = least;
    for (let i = start; i < Math.min(start + width, n); i++) {
      const value = gain(i);
      if (value > most) {
        most = value;
        best = i;
      }
    }
    if (best >= 0) found.push(best);
  }
  return found;
}

/**
 * Walk from vertex to vertex while a column gains; null where the rounds run out.
 *
 * Most rounds look only at a pool of columns, to which those of all that gain most are added when none of it does.
 *
 * @param gains worth of each column; without, each is worth what its artificial ones cost (phase one)
 */
function improve(
  vertex: Vertex,
  cost: (which: number) => number,
  gains: ArrayLike<number> | null,
): Float64Array | null {
  const { equations, basis } = vertex;
  const n = equations[0]?.length ?? 0;
  const value = new Float64Array(n);
  const pool = new Set<number>();
  const most = 500 + 50 * basis.length;
  let prices = duals(vertex, cost);
  const worth = (priced: number, i: number) => (gains ? (gains[i] as number) - priced : priced);
  const least = () => FLAT * prices.reduce((size, price) => Math.max(size, Math.abs(price)), 1);
  for (let round = 1; round <= most; ) {
    priced(equations, prices, value);
    const found = gaining((i) => worth(value[i] as number, i), n, least());
    if (found.length === 0) return prices;
    for (const i of found) pool.add(i);
    for (; round <= most; round++) {
      let entering = -1;
      let best = least();
      for (const i of pool) {
        let price = 0;
        for (let r = 0; r < equations.length; r++) {
          price += (prices[r] as number) * ((equations[r] as Float64Array)[i] as number);
        }
        const gain = worth(price, i);
        if (gain > best) {
          best = gain;
          entering = i;
        }
      }
      if (entering < 0) break;
      if (!pivot(vertex, entering)) return null;
      if (round % REFRESH === 0 && !refresh(vertex)) return null;
      prices = duals(vertex, cost);
    }
  }
  return null;
}

export type Start =
  | { readonly kind: "vertex"; readonly vertex: Vertex }
  /** ⟨d, a_i⟩ ≤ 0 for every column and ⟨d, b⟩ > 0: no weights solve the equations. */
  | { readonly kind: "none"; readonly direction: Float64Array };

/** Find weights y ≥ 0 with Σ y_i a_i = b, or the direction that shows there are none; null if undecided. */
export function feasible(equations: Equations, right: ArrayLike<number>): Start | null {
  const moved = nudged(right);
  const signs = Float64Array.from(moved, (value) => (value < 0 ? -1 : 1));
  const m = moved.length;
  const inverse = new Float64Array(m * m);
  for (let r = 0; r < m; r++) inverse[r * m + r] = 1;
  const vertex: Vertex = {
    equations: equations.map((row, r) => ((signs[r] as number) < 0 ? row.map((value) => -value) : row)),
    right: moved.map((value) => Math.abs(value)),
    basis: Int32Array.from({ length: m }, (_, r) => -1 - r),
    inverse,
    values: moved.map((value) => Math.abs(value)),
  };
  const prices = improve(vertex, (which) => (which < 0 ? 1 : 0), null);
  if (prices === null) return null;
  let missing = 0;
  vertex.basis.forEach((which, r) => {
    if (which < 0) missing += vertex.values[r] as number;
  });
  if (missing <= MISSING) return { kind: "vertex", vertex };
  return { kind: "none", direction: prices.map((price, r) => price * (signs[r] as number)) };
}

/** Largest Σ y_i v_i over weights that solve the equations, going on from a vertex; null if undecided. */
export function highest(vertex: Vertex, values: Float64Array): number | null {
  const cost = (which: number) => (which < 0 ? 0 : (values[which] as number));
  if (improve(vertex, cost, values) === null) return null;
  return vertex.basis.reduce((sum, which, r) => sum + cost(which) * (vertex.values[r] as number), 0);
}
