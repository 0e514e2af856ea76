import { describe, expect, test } from "vitest";
import { keyTarget } from "../../../../src/views/shared/slider_keys";
import { metricName, rocMetrics, stateFromTraits } from "../../../../src/views/stress/curves/state";
import { decodeStressCurves } from "../../../../src/wire/stress/curves";
import { example, METRICS } from "../../../support/example";

const { message, buffers } = example();
const data = decodeStressCurves({ message, ...buffers });

describe("stateFromTraits", () => {
  const traits = { tau: 0.3, feature: "hours", metric: "error_rate", rank_by: "slope" } as const;
  test("names to positions, τ to the nearest of the grid", () => {
    expect(stateFromTraits(data, traits)).toEqual({
      tau: 5,
      feature: 2,
      metric: 1,
      rankBy: "slope",
      between: null,
      elsewhere: "",
    });
  });
  test("roc needs both rates", () => {
    expect(stateFromTraits(data, { ...traits, metric: "roc" }).metric).toBe("roc");
    const poor = example({ metrics: METRICS.slice(0, 3) });
    const without = decodeStressCurves({ message: poor.message, ...poor.buffers });
    expect(rocMetrics(without.message)).toBeNull();
    expect(stateFromTraits(without, { ...traits, metric: "roc" }).metric).toBe(0);
  });
  test("what is unknown leaves the view where it was", () => {
    const odd = { tau: Number.NaN, feature: "nobody", metric: "nothing", rank_by: "slope" } as const;
    const before = { feature: 1, metric: 3 };
    expect(stateFromTraits(data, odd, before)).toEqual({
      tau: 4,
      feature: 1,
      metric: 3,
      rankBy: "slope",
      between: null,
      elsewhere: "",
    });
  });
  test("the shared stress leads, τ and feature follow", () => {
    const stress = { taus: { age: -0.5 }, hold: "none" };
    expect(stateFromTraits(data, { ...traits, stress })).toMatchObject({ tau: 2, feature: 0, elsewhere: "" });
    const none = { taus: {}, hold: "none" };
    expect(stateFromTraits(data, { ...traits, stress: none })).toMatchObject({
      tau: 4,
      feature: 2,
      elsewhere: "",
    });
  });
  test.each([
    [{ taus: { age: 0.5, hours: -0.25 }, hold: "none" }, "age (τ 0.50) and hours (τ −0.25)"],
    [{ taus: { shoe: 0.5 }, hold: "none" }, "there is no feature shoe here"],
    [{ taus: { age: 0.5 }, hold: "means" }, "that stress with the other means held"],
  ])("a stress that one slider cannot show is said: %j", (stress, words) => {
    const state = stateFromTraits(data, { ...traits, stress });
    expect(state).toMatchObject({ tau: 4, feature: 2 });
    expect(state.elsewhere).toContain(words);
  });
  test("between two steps the nearest is shown, and said", () => {
    const state = stateFromTraits(data, { ...traits, stress: { taus: { age: 0.3 }, hold: "none" } });
    expect(state).toMatchObject({ tau: 5, feature: 0, between: 0.3 });
    expect(state.elsewhere).toContain("nearest step of these curves, τ 0.25");
  });
  test("and back to names", () => {
    expect(metricName(message, 1)).toBe("error_rate");
    expect(metricName(message, "roc")).toBe("roc");
  });
});

describe("keyTarget", () => {
  test.each([
    ["ArrowRight", 51],
    ["ArrowUp", 51],
    ["ArrowLeft", 49],
    ["ArrowDown", 49],
    ["PageUp", 60],
    ["PageDown", 40],
    ["Home", 0],
    ["End", 100],
    ["Escape", 30],
    ["Enter", 50],
    ["a", null],
    ["Tab", null],
  ])("%s", (key, target) => {
    expect(keyTarget(key, 50, 100, 30)).toBe(target);
  });
  test("stops at the ends", () => {
    expect(keyTarget("PageUp", 95, 100, 50)).toBe(100);
    expect(keyTarget("ArrowLeft", 0, 100, 50)).toBe(0);
  });
});
