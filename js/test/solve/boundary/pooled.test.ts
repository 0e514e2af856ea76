import { describe, expect, test } from "vitest";
import { cosines, poolRows } from "../../../src/solve/boundary/pooled";
import { solveStress } from "../../../src/solve/stress/solver";
import {
  decodePooled,
  decodePooledAnswer,
  type Pooled,
  type PooledRows,
  type RowDirections,
} from "../../../src/wire/boundary/pooled";
import type { Columns } from "../../../src/wire/columns";
import type { PooledBoundaryViewTraits } from "../../../src/wire/messages";
import { readStress } from "../../../src/wire/shared_stress";
import { CASES, type Case, pooledAnswers, pooledTraits } from "../../support/pooled_example";

function shipped(which: Case) {
  const data = decodePooled(pooledTraits(which) as unknown as PooledBoundaryViewTraits);
  const { message, rows, columns } = data;
  const shape = {
    nFeatures: message.features.length,
    parted: message.parted,
    confidence: message.confidence,
  };
  return { ...data, rows: rows as PooledRows, columns: columns as Columns, shape };
}

function close(found: Pooled, wanted: Pooled) {
  for (const part of ["direction", "present", "absent"] as const) {
    for (const end of ["value", "lower", "upper"] as const) {
      const [a, b] = [found[part][end], wanted[part][end]];
      expect(a.length).toBe(b.length);
      b.forEach((value, j) => {
        const at = `${part}.${end}[${j}]`;
        if (Number.isNaN(value)) expect(a[j], at).toBeNaN();
        else expect(Math.abs((a[j] as number) - value), at).toBeLessThan(1e-4 * (1 + Math.abs(value)));
      });
    }
  }
}

describe.each(CASES)("rows pooled in the page, %s", (which) => {
  test("are Python's without a stress", () => {
    const { rows, columns, shape, before, message } = shipped(which);
    const n = columns.message.n_rows;
    const found = poolRows(rows, columns.base ?? new Float64Array(n).fill(1), shape);
    close(found?.pooled as Pooled, before);
    for (const [name, value] of Object.entries(message.facts)) {
      expect(found?.facts[name as "size"], name).toBeCloseTo(value as number, 4);
    }
  });

  test("have the mean cosine with their direction that Python says", () => {
    const { rows, columns, before, message } = shipped(which);
    const alike = cosines(rows, before.direction.value);
    const own = Array.from(rows.places, (place) => columns.base?.[place] ?? 1);
    const mean =
      own.reduce((sum, w, k) => sum + w * (alike[k] as number), 0) / own.reduce((a, b) => a + b, 0);
    expect(mean).toBeCloseTo(message.facts.agreement, 5);
  });

  test.each([0, 1, 2])("are Python's under stress %i", (k) => {
    const { rows, columns, shape, message } = shipped(which);
    const answered = pooledAnswers(which)[k] as Pick<PooledBoundaryViewTraits, "answer" | "answer_pooled">;
    const wanted = decodePooledAnswer(message, answered);
    const { weights } = solveStress(columns, readStress(wanted?.stress));
    const found = poolRows(rows, weights, shape);
    close(found?.pooled as Pooled, wanted?.pooled as Pooled);
    for (const [name, value] of Object.entries(wanted?.facts ?? {})) {
      expect(found?.facts[name as "size"], name).toBeCloseTo(value as number, 3);
    }
  });
});

describe("what cannot be pooled", () => {
  const shape = { nFeatures: 2, parted: [], confidence: 0.95 };
  const rowsOf = (directions: readonly number[]): RowDirections => ({
    places: Uint32Array.from({ length: directions.length / 2 }, (_, k) => k),
    directions: Float32Array.from(directions),
    presence: new Uint8Array(0),
  });

  test("no weight is nothing", () => {
    expect(poolRows(rowsOf([1, 0]), new Float64Array([0, 2]), shape)).toBeNull();
  });

  test("one row has no interval, and rows that cancel have neither direction nor interval", () => {
    const alone = poolRows(rowsOf([1, 0.5]), new Float64Array([1]), shape);
    expect(alone?.pooled.direction.value[0]).toBeCloseTo(2 / Math.sqrt(5));
    expect(alone?.pooled.direction.lower[0]).toBeNaN();
    const none = poolRows(rowsOf([1, 0, -1, 0]), new Float64Array([1, 1]), shape);
    expect([...(none?.pooled.direction.value ?? [])]).toEqual([0, 0]);
    expect(none?.facts.wobble).toBeNaN();
  });
});
