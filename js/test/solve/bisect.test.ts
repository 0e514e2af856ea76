import * as d3 from "d3-array";
import { expect, test } from "vitest";
import { bisectCenter, bisectLeft, bisectRight } from "../../src/solve/bisect";

test.each([1, 2, 3, 10, 61])("among %i values places are d3-array's", (n) => {
  const values = Array.from({ length: n }, (_, k) => Math.floor(k * 0.7) / 4);
  const asked = Array.from({ length: 200 }, (_, k) => (k - 20) / 16);
  for (const value of [...asked, Number.NaN, Infinity, -Infinity]) {
    expect(bisectLeft(values, value), `${value}`).toBe(d3.bisectLeft(values, value));
    expect(bisectRight(values, value), `${value}`).toBe(d3.bisectRight(values, value));
    expect(bisectCenter(values, value), `${value}`).toBe(d3.bisectCenter(values, value));
  }
});

test("of two as near, the second", () => {
  expect([0.49, 0.5, 0.51, -3, 7].map((value) => bisectCenter([0, 1, 2], value))).toEqual([0, 1, 1, 0, 2]);
});
