import { describe, expect, test } from "vitest";
import { influence, rankFeatures } from "../../src/views/stress_curves/ranking";
import { decodeStressCurves, type StressCurves } from "../../src/wire/stress_curves";
import { example } from "../support/example";

const { message, buffers } = example();
const data = decodeStressCurves({ message, ...buffers });

/** The same message with other curves of its first index. */
function withCurves(values: readonly (readonly number[])[]): StressCurves {
  const curve = (feature: number) => {
    const value = new Float32Array(values[feature] ?? []);
    return { value, lower: value, upper: value };
  };
  const features = message.features.slice(0, values.length);
  return { ...data, message: { ...message, features, taus: [-1, -0.5, 0, 0.5, 1] }, zero: 2, curve };
}

describe("influence", () => {
  test("difference between the ends, and slope at 0", () => {
    const bent = withCurves([[0.1, 0.2, 0.2, 0.4, 0.1]]);
    expect(influence(bent, 0, [0], "difference")).toBeCloseTo(0, 6);
    expect(influence(bent, 0, [0], "slope")).toBeCloseTo(0.2, 6);
  });
  test("of two indices, the length of both changes", () => {
    const [tpr, fpr] = [influence(data, 0, [2], "difference"), influence(data, 0, [3], "difference")];
    expect(influence(data, 0, [2, 3], "difference")).toBeCloseTo(Math.hypot(tpr, fpr), 6);
  });
  test("on a grid of one side, the slope there", () => {
    const right = { ...withCurves([[0.2, 0.3, 0.5]]), zero: 0 };
    const cut = { ...right, message: { ...right.message, taus: [0, 0.5, 1] } };
    expect(influence(cut, 0, [0], "slope")).toBeCloseTo(0.2, 6);
  });
});

describe("rankFeatures", () => {
  test("by either measure, the larger first whatever its sign", () => {
    expect(rankFeatures(data, [0], "difference")).toEqual([2, 1, 0]);
    const bent = withCurves([
      [0.1, 0.2, 0.3, 0.4, 0.2],
      [0.5, 0.3, 0.3, 0.3, 0.1],
    ]);
    expect(rankFeatures(bent, [0], "difference")).toEqual([1, 0]);
    expect(rankFeatures(bent, [0], "slope")).toEqual([0, 1]);
  });
  test("ties keep the message's order; the undefined come last", () => {
    const nothing = [Number.NaN, 0, 0, 0, 0];
    expect(rankFeatures(withCurves([nothing, [0, 0, 0, 0, 1], [1, 0, 0, 0, 0]]), [0], "difference")).toEqual([
      1, 2, 0,
    ]);
  });
});
