import { afterEach, expect, test, vi } from "vitest";
import { createSolve, shareSolve } from "../../../src/solve/stress/solutions";
import * as solver from "../../../src/solve/stress/solver";
import { decodeColumns } from "../../../src/wire/columns";
import type { Stress } from "../../../src/wire/shared_stress";
import { jointExample } from "../../support/joint_example";

const columnsOf = (more: object = {}) => decodeColumns({ ...jointExample(), ...more });
const stress = (taus: Stress["taus"], hold: Stress["hold"] = "none"): Stress => ({ taus, hold });

afterEach(() => vi.restoreAllMocks());

test("a stress is solved once until another is asked for, in whatever order its features are named", () => {
  const solving = vi.spyOn(solver, "solveStress");
  const solve = createSolve(columnsOf());
  const first = solve(stress({ age: 0.3, hours: -0.2 }));
  expect(solve(stress({ hours: -0.2, age: 0.3 }))).toBe(first);
  expect(solving).toHaveBeenCalledTimes(1);
  const held = solve(stress({ age: 0.3, hours: -0.2 }, "means"));
  expect(held).not.toBe(first);
  expect(held.weights).not.toEqual(first.weights);
  expect(solving).toHaveBeenCalledTimes(2);
});

test("the next stress starts from the one before, and a stress without an answer starts nothing", () => {
  const columns = columnsOf();
  const solve = createSolve(columns);
  const wide = { age: 0.9, hours: 0.9 };
  solve(stress({ ...wide, age: 0.89 }));
  expect(solve(stress({ "no such feature": 1 })).weights).toHaveLength(0);
  const warm = solve(stress(wide));
  const cold = solver.solveStress(columns, stress(wide));
  expect(warm.evaluations).toBeLessThan(cold.evaluations);
  warm.weights.forEach((weight, row) => {
    expect(weight).toBeCloseTo(cold.weights[row] as number, 6);
  });
});

test("views that bring the same columns share their answers", () => {
  const solveOn = shareSolve();
  expect(solveOn(columnsOf())).toBe(solveOn(columnsOf()));
});

test("columns that differ in rows, weights or targets are solved by themselves", () => {
  const { columns_message, columns } = jointExample();
  const [first, ...features] = columns_message.features;
  const other = new DataView(columns.buffer.slice(0));
  other.setFloat32(4, 0.125, true);
  const weighted = { ...columns_message, weighted: true };
  const weights = (last: number) =>
    new DataView(Float32Array.from({ length: 400 }, (_, row) => (row === 399 ? last : 1)).buffer);
  const solveOn = shareSolve();
  const solves = [
    columnsOf(),
    columnsOf({ columns: other }),
    columnsOf({
      columns_message: { ...columns_message, features: [{ ...first, high: 59.5 }, ...features] },
    }),
    columnsOf({ columns_message: weighted, row_weights: weights(1) }),
    columnsOf({ columns_message: weighted, row_weights: weights(2) }),
  ].map((columns) => solveOn(columns));
  expect(new Set(solves).size).toBe(solves.length);
});
