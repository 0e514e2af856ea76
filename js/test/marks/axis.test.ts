import { describe, expect, test } from "vitest";
import { axis, axisTicks, finiteExtent, niceDomain, placeAmong } from "../../src/marks/axis";

test("finiteExtent passes over what is not finite", () => {
  expect(
    finiteExtent([
      [1, Number.NaN],
      [Infinity, -2],
    ]),
  ).toEqual([-2, 1]);
  expect(finiteExtent([[Number.NaN]])).toEqual([0, 1]);
});

describe("niceDomain", () => {
  test("shares stay within 0 and 1, and start at 0 when it is near", () => {
    expect(niceDomain([0.05, 0.58], "share", 5)).toEqual([0, 0.7]);
    expect(niceDomain([0.9, 1], "share", 5)[1]).toBe(1);
  });
  test("a flat curve gets a domain of some height", () => {
    const [low, high] = niceDomain([0.4, 0.4], "share", 5);
    expect(high).toBeGreaterThan(low);
    const [below, above] = niceDomain([0, 0], "value", 5);
    expect(above).toBeGreaterThan(below);
  });
});

describe("axis", () => {
  const y = axis([0, 0.5], [200, 0]);
  test("maps there and back", () => {
    expect(y.at(0.25)).toBe(100);
    expect(y.value(100)).toBe(0.25);
  });
  test("labels shares in per cent, values with the decimals of the step", () => {
    expect(axisTicks(y, 5, "share").map(({ label }) => label)).toEqual([
      "0 %",
      "10 %",
      "20 %",
      "30 %",
      "40 %",
      "50 %",
    ]);
    expect(axisTicks(axis([0, 0.01], [0, 1]), 4, "share")[1]?.label).toBe("0.2 %");
    expect(axisTicks(axis([0, 4000], [0, 1]), 4, "value").map(({ label }) => label)[1]).toBe("1,000");
  });
});

test("a value has its place among ascending ones", () => {
  const means = [2, 4, 5, 5.5];
  expect(means.map((mean) => placeAmong(means, mean))).toEqual([0, 1, 2, 3]);
  expect(placeAmong(means, 3)).toBe(0.5);
  expect(placeAmong(means, 5.25)).toBe(2.5);
  expect([placeAmong(means, -9), placeAmong(means, 9)]).toEqual([0, 3]);
});
