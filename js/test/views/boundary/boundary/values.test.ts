import { describe, expect, test } from "vitest";
import { flippedStretches } from "../../../../src/views/boundary/boundary/picture";
import { isSearched, withBound, withEdit, withLock } from "../../../../src/views/boundary/boundary/state";
import {
  changeWords,
  constraintWords,
  lengthWords,
  signedWords,
  valueWords,
} from "../../../../src/views/boundary/boundary/values";
import type { BoundaryFeatureMessage } from "../../../../src/wire/messages";

const feature = (change: Partial<BoundaryFeatureMessage> = {}): BoundaryFeatureMessage => ({
  name: "age",
  kind: "number",
  integer: false,
  scale: 9,
  levels: [],
  start: 40,
  point: 40,
  rival: 61,
  changed: false,
  held: "",
  direction: 0,
  effect: 0,
  leads_to: null,
  ...change,
});

describe("values", () => {
  test.each([
    [feature({ integer: true }), 1240, "1,240"],
    [feature(), 40.125, "40.125"],
    [feature(), -0.5, "−0.5"],
    [feature(), null, "missing"],
    [feature({ kind: "levels", levels: ["low", "high"] }), 1, "high"],
    [feature({ kind: "levels", levels: ["low", "high"] }), null, "missing"],
    [feature({ kind: "date" }), 2021, "2021-01-01"],
    [feature({ changed: true, start: 85.63, point: 88.57 }), 88.5714, "88.57"],
    [feature({ changed: true, start: 0.127, point: 0.126824, scale: 0.3 }), 0.126824, "0.12682"],
    [feature({ changed: true, start: 21.075, point: 21.075 + 3e-10 }), 21.075 + 3e-10, "21.075"],
  ])("%o at %s is %s", (one, value, words) => {
    expect(valueWords(one, value)).toBe(words);
  });

  test.each([
    [0, "0"],
    [2.94123, "+2.94"],
    [-0.00017612, "−0.000176"],
    [1234.5, "+1,235"],
    [0.0000123, "+1.2e-5"],
  ])("a difference of %d is %s", (value, words) => {
    expect(signedWords(value)).toBe(words);
  });

  test("levels and what is missing have no difference", () => {
    expect(changeWords(feature({ kind: "levels" }), 0, 1)).toBe("");
    expect(changeWords(feature(), null, 1)).toBe("");
    expect(changeWords(feature(), 40, 42)).toBe("+2");
  });

  test("lengths have the decimals that their whole needs", () => {
    const path = (last: number) =>
      ({ unit: "sd", path: { length: [0, last] } }) as unknown as Parameters<typeof lengthWords>[0];
    expect(lengthWords(path(3.3), 0.4812)).toBe("0.48 sd");
    expect(lengthWords(path(0.07), 0.0363)).toBe("0.0363 sd");
  });
});

describe("constraints", () => {
  test.each([
    [true, [1, 2], "locked"],
    [false, [1, 2], "1 – 2"],
    [false, [1, null], "≥ 1"],
    [false, [null, 2], "≤ 2"],
    [false, undefined, ""],
  ] as const)("locked %s, bound %j: %s", (locked, bound, words) => {
    expect(constraintWords(locked, bound)).toBe(words);
  });

  test("are set and freed one by one", () => {
    expect(withLock(["a"], "b", true)).toEqual(["a", "b"]);
    expect(withLock(["a", "b"], "a", false)).toEqual(["b"]);
    expect(withBound({ a: [1, 2] }, "b", [null, 3])).toEqual({ a: [1, 2], b: [null, 3] });
    expect(withBound({ a: [1, 2] }, "a", [null, null])).toEqual({});
  });

  test("values are set and taken back one by one", () => {
    expect(withEdit({ a: 1 }, "b", "high")).toEqual({ a: 1, b: "high" });
    expect(withEdit({ a: 1, b: 2 }, "a", null)).toEqual({ b: 2 });
  });

  test("are searched whatever their order", () => {
    const answer = { fixed: ["a", "b"], bounds: { c: [1, null], d: [0, 1] } } as unknown as Parameters<
      typeof isSearched
    >[0];
    expect(isSearched(answer, { fixed: ["b", "a"], bounds: { d: [0, 1], c: [1, null] } })).toBe(true);
    expect(isSearched(answer, { fixed: ["b", "a"], bounds: { d: [0, 1], c: [2, null] } })).toBe(false);
  });
});

test("flipped stretches begin and end between two steps", () => {
  const length = [0, 1, 2, 3, 4, 5];
  expect(flippedStretches({ length, flipped: [0, 0, 1, 1, 0, 1] })).toEqual([
    [1.5, 3.5],
    [4.5, 5],
  ]);
  expect(flippedStretches({ length, flipped: [0, 0, 0, 0, 0, 0] })).toEqual([]);
});
