import { describe, expect, test } from "vitest";
import {
  isStressed,
  readStress,
  readStressOrNone,
  sameStress,
  stressTrait,
  tauOf,
  UNSTRESSED,
  withTau,
} from "../../src/wire/shared_stress";

describe("the shared stress", () => {
  test("zeros are left out, nothing is no stress", () => {
    expect(readStress({})).toEqual(UNSTRESSED);
    expect(readStress({ taus: { a: 0, b: -0.5 }, hold: "means" })).toEqual({
      taus: { b: -0.5 },
      hold: "means",
    });
  });

  test.each([
    [null, "an object"],
    [{ taus: [], hold: "none" }, '"stress.taus" must be an object'],
    [{ taus: { a: 1.5 }, hold: "none" }, 'τ in [-1, 1] for "a"'],
    [{ taus: { a: "far" }, hold: "none" }, "τ in [-1, 1]"],
    [{ taus: {}, hold: "some" }, '"stress.hold" must be'],
  ])("refuses %j", (value, words) => {
    expect(() => readStress(value)).toThrow(words);
  });

  test("a trait that nobody has set moves nothing", () => {
    for (const read of [stressTrait, readStressOrNone]) {
      expect([undefined, null, {}].map(read)).toEqual([UNSTRESSED, UNSTRESSED, UNSTRESSED]);
    }
    const strange = { taus: { a: 2 }, hold: "none" };
    expect(() => stressTrait(strange)).toThrow("τ in [-1, 1]");
    expect(readStressOrNone(strange)).toBe(UNSTRESSED);
  });

  test("names are only names", () => {
    const stress = withTau(withTau(UNSTRESSED, "__proto__", 0.5), "constructor", 0.25);
    expect(Object.keys(stress.taus)).toEqual(["__proto__", "constructor"]);
    expect(tauOf(stress, "__proto__")).toBe(0.5);
    expect(tauOf(UNSTRESSED, "constructor")).toBe(0);
    expect(isStressed(withTau(withTau(stress, "__proto__", 0), "constructor", 0))).toBe(false);
  });

  test("the order of names does not count, what is held does", () => {
    const ab = { taus: { a: 1, b: 0.5 }, hold: "none" } as const;
    expect(sameStress(ab, { taus: { b: 0.5, a: 1 }, hold: "none" })).toBe(true);
    expect(sameStress(ab, { ...ab, hold: "means" })).toBe(false);
    expect(sameStress(ab, { taus: { a: 1 }, hold: "none" })).toBe(false);
    expect(sameStress(ab, { taus: { a: 1, c: 0.5 }, hold: "none" })).toBe(false);
  });
});
