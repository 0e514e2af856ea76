/** How unevenly weights lie on the rows: effective sample, distances, and the tail of the largest weights. */

const GROUP = 8;
/** Fewer values than this make no tail to fit. */
export const HANDFUL = 5;
/** Share of all weight, beyond what they had before, with which a handful of rows decides the answer. */
export const STANDS_OUT = 0.05;
export const TIED = 1e-12;
export const SMALLEST = 1e-30;

/** Kish's (Σw)² / Σw², rows. */
export function effectiveSize(share: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < share.length; i++) squares += (share[i] as number) ** 2;
  return 1 / squares;
}

/** (Σw²)² / Σw⁴, those of Student's t; of weights of any mean. */
export function degreesOfFreedom(weights: ArrayLike<number>): number {
  let [squares, fourths] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const square = (weights[i] as number) ** 2;
    squares += square;
    fourths += square * square;
  }
  return squares ** 2 / fourths;
}

/** Total variation below which KL is mostly rounding. */
export const LEAST_TV = 1e-3;
/** What a squared total variation is kept below 1 by. */
export const TV_ROUNDING = 1e-12;

/**
 * KL over that of a normal column whose mean shift has the same total variation; 1 for next to no shift.
 *
 * @param observed share of the weight of the rows with a value; only these are moved
 */
export function divergenceRatio(kl: number, tv: number, observed: number): number {
  const square = Math.min((tv / observed) ** 2, 1 - TV_ROUNDING);
  return square > LEAST_TV ** 2 ? kl / observed / (-Math.PI * Math.log1p(-square)) : 1;
}

/** Mean of log(1 - θx), as logarithms of products of eight factors. */
function meanLog(theta: number, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i += GROUP) {
    let product = 1;
    const end = Math.min(i + GROUP, x.length);
    for (let j = i; j < end; j++) product *= 1 - theta * (x[j] as number);
    sum += Math.log(product);
  }
  return sum / x.length;
}

function quarter(m: number): number {
  return Math.max(Math.floor(m / 4 + 0.5) - 1, 0);
}

/** Zhang and Stephens' profile posterior mean for ascending positive log excesses, shrunk towards 1/2. */
function zhangStephens(logs: Float64Array): number {
  const m = logs.length;
  const largest = logs[m - 1] as number;
  const excess =
    largest > 1e-6 ? logs.map((log) => Math.exp(log - largest) - Math.exp(-largest)) : logs.map(Math.expm1);
  const top = excess[m - 1] as number;
  const scaled = excess.map((value) => Math.max(value / top, SMALLEST));
  const grid = 30 + Math.floor(Math.sqrt(m));
  const first = scaled[quarter(m)] as number;
  const thetas = Array.from({ length: grid }, (_, g) => {
    const theta = 1 + (1 - Math.sqrt(grid / (g + 0.5))) / (3 * first);
    return theta === 0 ? 1e-8 : theta;
  });
  const profile = thetas.map((theta) => {
    const k = meanLog(theta, scaled);
    return m * (Math.log(-theta / k) - k - 1);
  });
  const most = Math.max(...profile);
  let [weights, best] = [0, 0];
  profile.forEach((value, g) => {
    const weight = Math.exp(value - most);
    weights += weight;
    best += weight * (thetas[g] as number);
  });
  return (m * meanLog(best / weights, scaled) + 5) / (m + 10);
}

/** Reorder so that the `m` largest values come last; quickselect with a middle pivot. */
function partition(values: Float64Array, m: number): void {
  const rank = values.length - m;
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1] as number;
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i > j) break;
      const swapped = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = swapped;
    }
    if (rank <= j) right = j;
    else if (rank >= i) left = i;
    else return;
  }
}

function positiveValues(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  let n = 0;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > 0) out[n++] = values[i] as number;
  return out.subarray(0, n);
}

/**
 * Pareto k̂ of the largest weights; rows of weight 0 are left out.
 *
 * 0 where the largest weights are all equal, ∞ where fewer than five rows stand out, with 5 points more of all weight
 * than before.
 *
 * @param base shares the rows had before; null where all had the same
 */
export function paretoK(share: Float64Array, base: Float64Array | null = null): number {
  const weights = positiveValues(share);
  const n = weights.length;
  const m = Math.min(Math.ceil(Math.min(0.2 * n, 3 * Math.sqrt(n))), n - 1);
  if (m < 1) return 0;
  partition(weights, m + 1);
  const tail = weights
    .subarray(n - m - 1)
    .slice()
    .sort();
  const cut = tail[0] as number;
  const logs = tail.subarray(1).map((weight) => Math.log(weight / cut));
  if (m >= HANDFUL && (logs[quarter(m)] as number) > TIED) return zhangStephens(logs);
  if (!((logs[m - 1] as number) > TIED)) return 0;
  const over = logs.filter((log) => log > TIED);
  if (over.length >= HANDFUL) return zhangStephens(over);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let gained = 0;
  share.forEach((weight, row) => {
    if (weight > cut * (1 + TIED))
      gained += weight / total - (base ? (base[row] as number) : 1 / share.length);
  });
  return gained > STANDS_OUT ? Infinity : 0;
}
