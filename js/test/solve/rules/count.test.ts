import { describe, expect, test } from "vitest";
import { countBox, MISSING, rowsInside } from "../../../src/solve/rules/count";
import { decodeAnswer, decodeListed } from "../../../src/wire/rules/rules";
import { rulesGolden, rulesTraits } from "../../support/rules_example";

const cases = Object.entries(rulesGolden).flatMap(([name, { moved }]) =>
  moved.map((one, place) => ({ name: name as keyof typeof rulesGolden, place, one })),
);

describe("what Python counted on the values themselves", () => {
  test.each(cases)("$name, rule $place, edges moved", ({ name, place, one }) => {
    const { rules } = decodeAnswer(rulesTraits(name));
    const counts = countBox((rules[place] as (typeof rules)[number]).rows, one.sides);
    expect(counts.sdpMin).toBeCloseTo(one.sdp_min, 6);
    for (const [found, wanted] of [
      [counts.training, one.training],
      [counts.heldOut, one.held_out],
    ] as const) {
      expect(found?.nRows).toBe(wanted.n_rows);
      expect(found?.nInside).toBe(wanted.n_inside);
      expect(found?.coverage).toBeCloseTo(wanted.coverage as number, 6);
      expect(found?.precision).toBeCloseTo(wanted.precision as number, 6);
    }
  });

  test.each(["levels", "weighted", "missing", "rounded"] as const)("%s, as grown", (name) => {
    for (const rule of decodeAnswer(rulesTraits(name)).rules) {
      const counts = countBox(rule.rows, rule.axes);
      expect(Math.min(counts.sdpMin, rule.sdp)).toBeCloseTo(rule.sdp_min, 6);
      expect(counts.training.nInside).toBe(rule.training.n_inside);
      expect(counts.heldOut?.coverage).toBeCloseTo(rule.held_out?.coverage ?? Number.NaN, 6);
      expect(counts.heldOut?.precision).toBeCloseTo(rule.held_out?.precision ?? Number.NaN, 6);
    }
  });
});

test.each(["levels", "rounded", "value"] as const)("%s: the row explained is counted inside", (name) => {
  const traits = rulesTraits(name);
  const answer = decodeAnswer(traits);
  const at = decodeListed(traits, answer).places.indexOf(answer.row);
  expect(at).toBeGreaterThanOrEqual(0);
  expect(answer.rules.length).toBeGreaterThan(0);
  for (const { rows, axes } of answer.rules) expect(rowsInside(rows, axes)[at]).toBe(1);
});

describe("a box by hand", () => {
  const rows = {
    nTraining: 3,
    cells: [Uint8Array.of(0, 1, MISSING, 1)],
    sdp: Float32Array.of(0.25, 0.75, 0.5),
    agrees: Uint8Array.of(1, 0, 1, 1),
    weights: null,
  };
  const side = (inside: boolean[], missing = false) => [{ inside, missing }];

  test("missing values are inside where they may be", () => {
    expect(countBox(rows, side([false, true])).sdpMin).toBe(0.75);
    expect(countBox(rows, side([false, true], true)).sdpMin).toBe(0.5);
    expect(countBox(rows, side([true, true], true)).training).toEqual({
      nRows: 3,
      nInside: 3,
      coverage: 1,
      precision: 2 / 3,
    });
  });

  test("no row inside has no precision", () => {
    const counts = countBox(rows, side([true, false]));
    expect(counts.heldOut).toEqual({ nRows: 1, nInside: 0, coverage: 0, precision: Number.NaN });
  });

  test("rows of no weight are not there, and no held-out row is no count", () => {
    const weights = Float32Array.of(0, 2, 1, 1);
    const { sdpMin, training } = countBox({ ...rows, weights }, side([true, true], true));
    expect([sdpMin, training.nRows, training.precision]).toEqual([0.5, 2, 1 / 3]);
    expect(countBox({ ...rows, nTraining: 4 }, side([true, true])).heldOut).toBe(null);
  });
});
