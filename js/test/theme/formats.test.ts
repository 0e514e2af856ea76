import { describe, expect, test } from "vitest";
import {
  count,
  decimals,
  featureFormat,
  kl,
  paretoK,
  quantityFormat,
  span,
  tauFormat,
  tv,
} from "../../src/theme/formats";

test("span of finite values", () => {
  expect(span([1, 4, Number.NaN], [2, Infinity])).toBe(3);
  expect(span([2, 2])).toBe(0);
  expect(span([])).toBe(0);
});

test.each([
  [43, 2, 1],
  [0.04, 2, 4],
  [16, 2, 1],
  [10_000, 2, 0],
  [150, 3, 1],
  [0, 2, 2],
])("decimals(%d, %d) = %d", (range, digits, expected) => {
  expect(decimals(range, digits)).toBe(expected);
});

describe("shares", () => {
  const share = quantityFormat("share", 0.4);
  test("in per cent, changes in points, a proper minus", () => {
    expect(share.value(0.2263)).toBe("22.6 %");
    expect(share.bare(0.2263)).toBe("22.6");
    expect(share.change(-0.028)).toBe("−2.8 points");
    expect(share.change(0.028)).toBe("+2.8 points");
  });
  test("more decimals where the curve moves little", () => {
    expect(quantityFormat("share", 0.002).value(0.0123)).toBe("1.230 %");
  });
});

describe("values", () => {
  test("keep the decimals that their range needs", () => {
    expect(quantityFormat("numeric", 43).value(38.64)).toBe("38.6");
    expect(quantityFormat("numeric", 50_000).value(1081.9)).toBe("1,082");
    expect(quantityFormat("value", 150, 3).change(8.23)).toBe("+8.2");
  });
  test("very fine and very wide ranges are written with exponents", () => {
    expect(quantityFormat("numeric", 1e-12).value(3.2e-10)).toBe("3.2e-10");
    expect(quantityFormat("numeric", 1e12).value(2.5e11)).toBe("2.5e+11");
  });
  test("what is not defined says so", () => {
    expect(quantityFormat("value", 1).value(Number.NaN)).toBe("n/a");
    expect(quantityFormat("share", 1).bare(Infinity)).toBe("n/a");
    expect(quantityFormat("share", 1).change(Number.NaN)).toBe("n/a");
  });
});

describe("two that stand side by side", () => {
  const sizes = Array.from({ length: 9 }, (_, k) => 10 ** (k - 4));
  const moved = sizes.flatMap((size) => [1e-4, 1e-2, 0.5].map((part) => [size, size * (1 + part)] as const));
  test.each([
    ["share", 0.4],
    ["numeric", 43],
    ["value", 1000],
  ] as const)("differ in words where they differ, a %s over %d", (kind, range) => {
    const { pair, change } = quantityFormat(kind, range);
    for (const [before, after] of moved.filter(([, most]) => kind !== "share" || most <= 1)) {
      if (Math.abs(after - before) < 1e-7) continue;
      const [one, other] = pair(before, after);
      expect(one, `${before} and ${after}`).not.toBe(other);
    }
    for (const size of sizes) expect(change(-size)).not.toMatch(/^[−+]0(\.0*)?( points)?$/);
  });
  test("are alike where rounding parts them", () => {
    expect(quantityFormat("share", 0.4).pair(0.3, 0.3 + 1e-9)).toEqual(["30.0 %", "30.0 %"]);
    expect(quantityFormat("share", 0.4).change(-0.0001)).toBe("0.0 points");
  });
  test("a mean of zeros and ones is a share", () => {
    expect(featureFormat({ kind: "numeric", unit: "0/1" }, 1).value(0.01)).toBe("1.0 %");
  });
});

test("distances and sizes", () => {
  expect(count(13370.4)).toBe("13,370");
  expect(kl(0.0942)).toBe("0.094");
  expect(tv(0.1749)).toBe("0.175");
  expect(paretoK(0.137)).toBe("0.14");
  expect(paretoK(Infinity)).toBe("∞");
});

test("τ has the decimals of its grid, at least two", () => {
  expect(tauFormat([-1, -0.5, 0, 0.5, 1])(-0.5)).toBe("−0.50");
  expect(tauFormat([-1, -0.875, 0])(-0.875)).toBe("−0.88");
  expect(tauFormat([0, 0.002, 1])(0.002)).toBe("0.002");
  expect(tauFormat([0])(0)).toBe("0.00");
});
