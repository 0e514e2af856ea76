import { describe, expect, test } from "vitest";
import { effectiveSize, paretoK } from "../../../src/solve/stress/concentration";
import type { Problem } from "../../../src/solve/stress/dual";
import { cholesky, independent, solveCholesky } from "../../../src/solve/stress/matrices";
import { project } from "../../../src/solve/stress/projection";
import { product, secondMoments, squaredNorms } from "../../../src/solve/stress/row_sums";
import { feasible, highest } from "../../../src/solve/stress/simplex";
import { tQuantile } from "../../../src/solve/student_t";

/** Numbers in [0, 1) by a linear congruence: the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(next() || 1e-12)) * Math.cos(2 * Math.PI * next());
}

/** Two columns of correlation ρ, seen from their mean under exp⟨ξ, z⟩. */
function tilted(n: number, rho: number, xi: readonly [number, number], seed: number): Problem {
  const next = random(seed);
  const a = Array.from({ length: n }, () => normal(next));
  const b = a.map((value) => rho * value + Math.sqrt(1 - rho * rho) * normal(next));
  const weight = a.map((value, i) => Math.exp(xi[0] * value + xi[1] * (b[i] as number)));
  const total = weight.reduce((sum, w) => sum + w, 0);
  const centred = [a, b].map((column) => {
    const mean = column.reduce((sum, value, i) => sum + value * (weight[i] as number), 0) / total;
    return Float64Array.from(column, (value) => value - mean);
  });
  return { n, columns: centred, base: null };
}

describe("project", () => {
  const grid = [-2, -1, 0, 1, 2] as const;
  const cells = grid.flatMap((p) =>
    grid.flatMap((q) => [0.9, 0.99, 0.9999].map((rho) => [p, q, rho] as const)),
  );

  test.each(cells)("near-collinear columns: ξ = (%d, %d), ρ = %d", (p, q, rho) => {
    // along the difference, where hardly any variance is left, the tilt is as strong as along the sum
    const along = 1 / Math.sqrt(2 * (1 - rho));
    const xi = [p + q * along, p - q * along].map((value) => value / 2) as [number, number];
    const problem = tilted(500, rho, xi, 7);
    const found = project(problem, new Float64Array(2));
    expect(found.status).toBe("solved");
    for (let j = 0; j < 2; j++) {
      expect(Math.abs(product(found.share, problem.columns[j] as Float64Array))).toBeLessThan(1e-8);
      expect(found.multipliers[j]).toBeCloseTo(xi[j] as number, 4);
    }
  });

  test("a target just beyond the farthest row is proven out of reach, just within it solved", () => {
    const rows = Float64Array.from({ length: 100 }, (_, i) => i / 50 - 1);
    const beyond = (target: number): Problem => ({
      n: 100,
      columns: [rows.map((x) => x - target)],
      base: null,
    });
    expect(project(beyond(0.981), new Float64Array(1)).status).toBe("infeasible");
    expect(project(beyond(0.98), new Float64Array(1)).status).toBe("limit");
    expect(project(beyond(0.979), new Float64Array(1)).status).toBe("solved");
  });

  test("a corner is out of reach though each coordinate is not", () => {
    // rows on a circle, a target outside it but inside the square around it
    const angles = Array.from({ length: 60 }, (_, i) => (2 * Math.PI * i) / 60);
    const at = (x: number, y: number): Problem => ({
      n: 60,
      columns: [
        Float64Array.from(angles, (a) => Math.cos(a) - x),
        Float64Array.from(angles, (a) => Math.sin(a) - y),
      ],
      base: null,
    });
    expect(project(at(0.8, 0.8), new Float64Array(2)).status).toBe("infeasible");
    expect(project(at(0.6, 0.6), new Float64Array(2)).status).toBe("solved");
  });

  test("on an edge of the hull only its rows keep weight", () => {
    const x = Float64Array.of(0, 1, 2, 0, 2, 1);
    const y = Float64Array.of(0, 0, 0, 1, 1, 3);
    // the target (1.5, 0) lies on the lower edge: the touching column is y
    const columns = [x.map((value) => value - 1.5), y];
    const found = project({ n: 6, columns, base: null }, new Float64Array(2));
    expect(found.status).toBe("limit");
    expect([...found.share.subarray(3)]).toEqual([0, 0, 0]);
    expect(found.share.subarray(0, 3).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
    expect((found.share[1] as number) + 2 * (found.share[2] as number)).toBeCloseTo(1.5, 8);
  });

  test("on an edge askew to the axes the same", () => {
    const x = Float64Array.of(0, 1, 2, 0, 1, 0.3);
    const y = Float64Array.of(2, 1, 0, 0, 0, 0.3);
    const columns = [x.map((value) => value - 1.2), y.map((value) => value - 0.8)];
    const found = project({ n: 6, columns, base: null }, new Float64Array(2));
    expect(found.status).toBe("limit");
    expect([...found.share.subarray(3)]).toEqual([0, 0, 0]);
  });
});

describe("sums over rows", () => {
  test.each([1, 3, 4, 7, 530])("second moments and squared norms of %d rows", (n) => {
    const next = random(11);
    const columns = Array.from({ length: 6 }, () => Float64Array.from({ length: n }, () => normal(next)));
    const weights = Float64Array.from({ length: n }, () => next());
    const second = secondMoments(columns, weights);
    columns.forEach((a, p) => {
      columns.forEach((b, q) => {
        const sum = a.reduce(
          (total, value, i) => total + (weights[i] as number) * value * (b[i] as number),
          0,
        );
        expect(second[6 * p + q]).toBeCloseTo(sum, 10);
      });
    });
    const spread = Float64Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 2 : 0.3));
    const lower = cholesky(spread, 6) as Float64Array;
    const norms = squaredNorms(columns, lower, n);
    expect(norms).toHaveLength(n);
    norms.forEach((norm, i) => {
      const row = columns.map((column) => column[i] as number);
      const solved = solveCholesky(lower, 6, row);
      expect(norm).toBeCloseTo(
        row.reduce((sum, value, j) => sum + value * (solved[j] as number), 0),
        10,
      );
    });
  });
});

describe("linear programs", () => {
  test("the widest mean given another one", () => {
    const next = random(3);
    const x = Float64Array.from({ length: 200 }, () => next());
    const y = x.map((value) => value * value);
    const start = feasible([new Float64Array(200).fill(1), x.map((value) => value - 0.5)], [1, 0]);
    expect(start?.kind).toBe("vertex");
    if (start?.kind !== "vertex") return;
    // of weights with mean x = 1/2, x² is largest on the two ends and smallest in the middle
    const [low, high] = [Math.min(...x), Math.max(...x)];
    expect(highest(start.vertex, y)).toBeCloseTo((low + high) / 2 - low * high, 4);
    expect(
      -(
        highest(
          start.vertex,
          y.map((value) => -value),
        ) ?? 0
      ),
    ).toBeCloseTo(0.25, 3);
  });

  test("what cannot be met comes with the direction that shows it", () => {
    const x = Float64Array.from([1, 2, 3]);
    const found = feasible([x], [-1]);
    expect(found?.kind).toBe("none");
    if (found?.kind === "none") expect(found.direction[0] as number).toBeLessThan(0);
  });
});

describe("small matrices", () => {
  test("a solved system", () => {
    const a = Float64Array.from([4, 2, 2, 3]);
    const lower = cholesky(a, 2) as Float64Array;
    const x = solveCholesky(lower, 2, [8, 7]);
    expect(4 * (x[0] as number) + 2 * (x[1] as number)).toBeCloseTo(8, 12);
    expect(2 * (x[0] as number) + 3 * (x[1] as number)).toBeCloseTo(7, 12);
    expect(cholesky(Float64Array.from([1, 2, 2, 1]), 2)).toBeNull();
  });

  test("a column that is the sum of two others follows from them", () => {
    const covariance = Float64Array.from([1, 0, 1, 0, 1, 1, 1, 1, 2]);
    const { kept, follows } = independent(covariance, 3, 1e-12);
    expect(kept).toEqual([0, 1]);
    expect([...(follows.get(2) ?? [])]).toEqual([1, 1]);
  });
});

describe("how uneven weights are", () => {
  test("equal weights", () => {
    const share = new Float64Array(50).fill(1 / 50);
    expect(effectiveSize(share)).toBeCloseTo(50, 10);
    expect(paretoK(share)).toBe(0);
  });

  test("a Pareto tail's own shape", () => {
    const n = 4000;
    const share = Float64Array.from({ length: n }, (_, i) => ((i + 0.5) / n) ** -0.6);
    expect(paretoK(share)).toBeCloseTo(0.6, 1);
  });

  test("a handful of rows with most of the weight", () => {
    const share = new Float64Array(100).fill(0.001);
    share[7] = 0.9;
    expect(paretoK(share)).toBe(Infinity);
    expect(paretoK(Float64Array.from([1]))).toBe(0);
  });

  test("a handful that holds what it held before does not stand out", () => {
    const share = Float64Array.from({ length: 75 }, (_, i) => (i < 4 ? 0.055 / 4 : 0.945 / 71));
    expect(paretoK(share)).toBe(0);
    const base = Float64Array.from({ length: 200 }, (_, i) => (i < 4 ? 0.1 : 0.6 / 196));
    const moved = Float64Array.from({ length: 200 }, (_, i) => (i < 4 ? 0.11 : 0.56 / 196));
    expect(paretoK(moved, base)).toBe(0);
    expect(paretoK(moved)).toBe(Infinity);
  });
});

test.each([
  [1, 0.95, 12.706204736174698],
  [2.5, 0.9, 2.5582186141359355],
  [10, 0.95, 2.2281388519649385],
  [29.5, 0.99, 2.753133270256325],
  [4000, 0.95, 1.9605572287937332],
  [1e6, 0.95, 1.959966356814107],
])("Student's t with %d degrees of freedom at %d", (freedom, confidence, wanted) => {
  expect(Math.abs(tQuantile(freedom, confidence) - wanted)).toBeLessThan(2e-11 * wanted);
});
