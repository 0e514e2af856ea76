import { describe, expect, test } from "vitest";
import { SortedMeans } from "../../../src/solve/effects/sorted_means";
import { WindowMeans } from "../../../src/solve/effects/windows";
import { interpolateTQuantile } from "../../../src/solve/student_t";

/** Numbers in [0, 1) that are the same each time. */
function numbers(n: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: n }, () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  });
}

/** The slow definition: take mass from the lowest values, row by row, and put it on the highest. */
function highestMean(values: Float64Array, weights: Float64Array, epsilon: number): number {
  const total = weights.reduce((a, b) => a + b, 0);
  const rows = Array.from(values, (value, i) => ({ value, mass: (weights[i] as number) / total }));
  rows.sort((a, b) => a.value - b.value);
  let left = epsilon;
  for (const row of rows) {
    const taken = Math.min(left, row.mass);
    row.mass -= taken;
    left -= taken;
  }
  (rows.at(-1) as { mass: number }).mass += epsilon - left;
  return rows.reduce((sum, { value, mass }) => sum + value * mass, 0);
}

describe("the band of a weighted mean", () => {
  test.each([0, 0.01, 0.1, 0.37, 0.9, 1])("is the slow definition's at %s", (epsilon) => {
    const values = numbers(97, 3);
    const weights = numbers(97, 5);
    for (const base of [null, weights]) {
      const sorted = new SortedMeans(values, base);
      const plain = base ?? new Float64Array(97).fill(1);
      const [lower, upper] = sorted.moved(epsilon);
      expect(upper).toBeCloseTo(highestMean(values, plain, epsilon), 12);
      expect(lower).toBeCloseTo(
        -highestMean(
          values.map((value) => -value),
          plain,
          epsilon,
        ),
        12,
      );
    }
  });

  test("keeps its digits far from zero, and rows without weight do not count", () => {
    const values = numbers(50, 7).map((value) => 1e9 + value);
    const [lower, upper] = new SortedMeans(values, null).moved(0.2);
    expect(upper - lower).toBeGreaterThan(0.1);
    expect(upper - 1e9).toBeCloseTo(
      highestMean(
        values.map((value) => value - 1e9),
        new Float64Array(50).fill(1),
        0.2,
      ),
      6,
    );
    const some = new SortedMeans(Float64Array.of(1, 2, 50), Float64Array.of(1, 1, 0));
    expect(some.mean).toBeCloseTo(1.5);
  });

  test("one row has no width", () => {
    expect(new SortedMeans(Float64Array.of(4), null).moved(0.5)).toEqual([4, 4]);
  });
});

describe("the band of a window", () => {
  const values = numbers(20, 11);
  const mass = numbers(20, 13).map((m) => m / 40);
  const inside = mass.reduce((a, b) => a + b, 0);

  test.each([0, 0.02, 0.2, 0.7])(
    "holds every reweighting of all rows within %s, and is reached",
    (epsilon) => {
      const [lower, upper] = new WindowMeans(values, mass).moved(epsilon);
      let reached = -Infinity;
      for (let seed = 1; seed < 400; seed++) {
        // take from the lowest `cut` of the mass and from outside, in some proportion, and put it on the highest
        const part = (numbers(1, seed * 7919)[0] as number) * epsilon;
        const order = Array.from(values.keys()).sort((a, b) => (values[a] as number) - (values[b] as number));
        const moved = Float64Array.from(mass);
        let left = part;
        for (const i of order) {
          const taken = Math.min(left, moved[i] as number);
          moved[i] = (moved[i] as number) - taken;
          left -= taken;
        }
        const fromOutside = Math.min(epsilon - part, 1 - inside);
        const top = order.at(-1) as number;
        moved[top] = (moved[top] as number) + part - left + fromOutside;
        const total = moved.reduce((a, b) => a + b, 0);
        const mean = moved.reduce((sum, m, i) => sum + m * (values[i] as number), 0) / total;
        expect(mean).toBeLessThanOrEqual(upper + 1e-12);
        reached = Math.max(reached, mean);
      }
      expect(upper - reached).toBeLessThan(0.03);
      expect(lower).toBeLessThanOrEqual(upper + 1e-12);
    },
  );

  test("of all rows is the band of a mean", () => {
    const [lower, upper] = new WindowMeans(
      values,
      values.map(() => 1 / 20),
    ).moved(0.15);
    const [low, high] = new SortedMeans(values, null).moved(0.15);
    expect(lower).toBeCloseTo(low, 10);
    expect(upper).toBeCloseTo(high, 10);
  });

  test("without weight there is none", () => {
    expect(new WindowMeans(values, new Float64Array(20)).moved(0.1)).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("Student quantiles", () => {
  /** 97.5 % at 1/df = k/64: those of Cornish and Fisher serve as a smooth function. */
  const smooth = (x: number) => 1.96 + 2.37 * x + 2.82 * x ** 2 + 2.56 * x ** 3;
  const table = Array.from({ length: 65 }, (_, k) => smooth(k / 64));
  test.each([1, 1.5, 2, 7.3, 63, 500, 1e9])("between the shipped ones, at %s degrees", (degrees) => {
    expect(interpolateTQuantile(table, degrees)).toBeCloseTo(smooth(1 / degrees), 8);
  });
  test.each([0, 0.5, Number.NaN])("none at %s degrees", (degrees) => {
    expect(interpolateTQuantile(table, degrees)).toBeNaN();
  });
  test("none where none were shipped", () => {
    expect(interpolateTQuantile([], 10)).toBeNaN();
  });
});
