import { describe, expect, test } from "vitest";
import { influence, rankFeatures, reliableStretches } from "../../../../src/views/stress/curves/ranking";
import { decodeStressCurves, type StressCurves } from "../../../../src/wire/stress/curves";
import { example } from "../../../support/example";

const { message, buffers } = example();
const data = decodeStressCurves({ message, ...buffers });

/** The same message with other curves of its first metric. */
function withCurves(values: readonly (readonly number[])[]): StressCurves {
  const curve = (feature: number) => {
    const value = new Float32Array(values[feature] ?? []);
    return { value, lower: value, upper: value };
  };
  const features = message.features.slice(0, values.length);
  const stressed = {
    ...data,
    message: { ...message, features, taus: [-1, -0.5, 0, 0.5, 1] },
    zero: 2,
    curve,
  };
  return withWeights(
    stressed,
    features.map(() => [100, 100, 100, 100, 100]),
  );
}

/** The same curves with other effective samples, or other k̂ beside samples of 100 rows. */
function withWeights(
  curves: StressCurves,
  ess: readonly (readonly number[])[],
  k: readonly (readonly number[])[] = [],
): StressCurves {
  const population = (feature: number) => {
    const rows = new Float32Array(ess[feature] ?? []);
    const tail = new Float32Array(k[feature] ?? rows.map(() => 0));
    return { target: rows, ess: rows, pareto_k: tail, kl: rows, tv: rows };
  };
  return { ...curves, population };
}

const WHOLE = [0, 4] as const;

describe("influence", () => {
  test("difference between the ends, and slope at 0", () => {
    const bent = withCurves([[0.1, 0.2, 0.2, 0.4, 0.1]]);
    expect(influence(bent, 0, [0], "difference", WHOLE)).toBeCloseTo(0, 6);
    expect(influence(bent, 0, [0], "slope", WHOLE)).toBeCloseTo(0.2, 6);
  });
  test("of two metrics, the length of both changes", () => {
    const [tpr, fpr] = [
      influence(data, 0, [2], "difference", WHOLE),
      influence(data, 0, [3], "difference", WHOLE),
    ];
    expect(influence(data, 0, [2, 3], "difference", WHOLE)).toBeCloseTo(Math.hypot(tpr, fpr), 6);
  });
  test("on a grid of one side, the slope there", () => {
    const right = { ...withCurves([[0.2, 0.3, 0.5]]), zero: 0 };
    const cut = { ...right, message: { ...right.message, taus: [0, 0.5, 1] } };
    expect(influence(cut, 0, [0], "slope", WHOLE)).toBeCloseTo(0.2, 6);
  });
});

describe("trustedStretches", () => {
  const flat = [0, 0, 0, 0, 0];
  test("end where the effective sample or the tail gives out", () => {
    const curves = withCurves([flat, flat]);
    const ess = [
      [100, 100, 100, 100, 12],
      [100, 100, 100, 100, 100],
    ];
    const k = [flat, [Number.POSITIVE_INFINITY, 0.4, 0, 0.2, 0.6]];
    expect(reliableStretches(withWeights(curves, ess, k))).toEqual([
      [0, 3],
      [1, 3],
    ]);
  });
  test("are the whole grid where nothing can be trusted", () => {
    const few = withWeights(withCurves([flat, flat]), [
      [5, 8, 20, 8, 5],
      [5, 8, 20, 8, 5],
    ]);
    expect(reliableStretches(few)).toEqual([
      [0, 4],
      [0, 4],
    ]);
  });
});

describe("rankFeatures", () => {
  test("a handful of rows that turns the metric round at τ = 1 does not come first", () => {
    const curves = withCurves([
      [0.5, 0.5, 0.5, 0.9, 1],
      [0.3, 0.4, 0.5, 0.6, 0.7],
    ]);
    const ess = [100, 100, 100, 100, 100];
    const k = [
      [0, 0, 0, Number.POSITIVE_INFINITY, 0],
      [0, 0, 0, 0, 0],
    ];
    expect(rankFeatures(withWeights(curves, [ess, ess], k), [0], "difference")).toEqual([1, 0]);
  });
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
