/** Means of the same rows' values when a share of their mass moves: one sort, then any share. */

/** The lowest and the highest mean within reach. */
export type Range = readonly [lower: number, upper: number];

/** The order that sorts `values` ascending; undefined ones do not occur among rows. */
function ascending(values: Float64Array, mass: Float64Array | null): [Float64Array, Float64Array | null] {
  if (!mass) return [values.slice().sort(), null];
  const order = Uint32Array.from(values, (_, k) => k).sort(
    (a, b) => (values[a] as number) - (values[b] as number),
  );
  return [
    Float64Array.from(order, (k) => values[k] as number),
    Float64Array.from(order, (k) => mass[k] as number),
  ];
}

/**
 * Values sorted once, with the mass and the sum below each.
 *
 * Sums are about the lowest value, so that a large offset costs no digits.
 */
export class SortedMeans {
  readonly lowest: number;
  readonly highest: number;
  /** Mass up to each value, 0 … 1; null where all rows count alike. */
  readonly #mass: Float64Array | null;
  readonly #sums: Float64Array;

  /** @param weights non-negative, of any sum; null where all rows count alike */
  constructor(values: Float64Array, weights: Float64Array | null) {
    const n = values.length;
    const total = weights ? weights.reduce((a, b) => a + b, 0) : n;
    const [sorted, sortedMass] = ascending(values, weights);
    this.lowest = sorted[0] ?? Number.NaN;
    this.highest = sorted[n - 1] ?? Number.NaN;
    this.#sums = new Float64Array(n + 1);
    this.#mass = sortedMass && new Float64Array(n + 1);
    for (let k = 0; k < n; k++) {
      const mass = (sortedMass ? (sortedMass[k] as number) : 1) / total;
      this.#sums[k + 1] = (this.#sums[k] as number) + mass * ((sorted[k] as number) - this.lowest);
      if (this.#mass) this.#mass[k + 1] = (this.#mass[k] as number) + mass;
    }
    if (this.#mass) this.#mass[n] = 1;
  }

  get mean(): number {
    return (this.#sums.at(-1) as number) + this.lowest;
  }

  /** Sum over the lowest `share` of the mass, per unit of all. */
  below(share: number): number {
    const n = this.#sums.length - 1;
    const at = this.#mass ? this.#place(share) : share * n;
    const k = Math.min(n - 1, Math.max(0, Math.floor(at)));
    const [low, high] = [this.#sums[k] as number, this.#sums[k + 1] as number];
    return low + (at - k) * (high - low) + share * this.lowest;
  }

  /** Lowest and highest means once a mass of at most `epsilon` moves; both are reached. */
  moved(epsilon: number): Range {
    return [
      this.below(1 - epsilon) + epsilon * this.lowest,
      this.mean - this.below(epsilon) + epsilon * this.highest,
    ];
  }

  /** Where a share of the mass lies among the sorted rows, in rows. */
  #place(share: number): number {
    const mass = this.#mass as Float64Array;
    let low = 0;
    let high = mass.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((mass[middle] as number) <= share) low = middle;
      else high = middle;
    }
    const [from, to] = [mass[low] as number, mass[high] as number];
    return to > from ? low + Math.min(1, Math.max(0, (share - from) / (to - from))) : low;
  }
}
