import { describe, expect, test } from "vitest";
import { influence, rankFeatures, usableStretches } from "../../../../src/views/stress/curves/ranking";
import { decodeStressCurves, type StressCurves } from "../../../../src/wire/stress/curves";
import { example, REASONS } from "../../../support/example";

const { message, buffers } = example();
const data = decodeStressCurves({ message, ...buffers });

/** The same message with other curves of its first metric. */
function withCurves(values: readonly (readonly number[])[]): StressCurves {
  const curve = (feature: number) => {
    const value = new Float32Array(values[feature] ?? []);
    return { value, lower: value, upper: value, reason: new Uint8Array(value.length) };
  };
  const features = message.features.slice(0, values.length);
  return {
    ...data,
    message: { ...message, features, taus: [-1, -0.5, 0, 0.5, 1] },
    zero: 2,
    curve,
  };
}

/** The same curves with other reasons, by name: one list for each feature, whatever the metric. */
function withReasons(curves: StressCurves, names: readonly (readonly string[])[]): StressCurves {
  const curve = (feature: number, metric: number) => {
    const codes = (names[feature] ?? []).map((name) => REASONS.findIndex((reason) => reason.name === name));
    return { ...curves.curve(feature, metric), reason: Uint8Array.from(codes) };
  };
  return { ...curves, curve };
}

const GOOD = "none";
const WIDE = "few_events";
const BAD = "few_rows_beyond";

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

describe("usableStretches", () => {
  const flat = [0, 0, 0, 0, 0];
  const two = withCurves([flat, flat]);
  test("end where the metric is not reliable", () => {
    const curves = withReasons(two, [
      [GOOD, GOOD, GOOD, GOOD, BAD],
      [BAD, GOOD, GOOD, GOOD, WIDE],
    ]);
    expect(usableStretches(curves, [0])).toEqual([
      [0, 3],
      [1, 3],
    ]);
  });
  test("end where its interval can no longer be read, of a metric that is reliable nowhere", () => {
    const curves = withReasons(two, [
      [BAD, WIDE, WIDE, WIDE, WIDE],
      [WIDE, WIDE, WIDE, BAD, WIDE],
    ]);
    expect(usableStretches(curves, [0])).toEqual([
      [1, 4],
      [0, 2],
    ]);
  });
  test("are the whole grid where it is unreliable everywhere", () => {
    const never = [BAD, BAD, WIDE, BAD, BAD];
    expect(usableStretches(withReasons(two, [never, never]), [0])).toEqual([
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
    const judged = withReasons(curves, [
      [GOOD, GOOD, GOOD, "few_rows_carry_all", GOOD],
      [GOOD, GOOD, GOOD, GOOD, GOOD],
    ]);
    expect(rankFeatures(judged, [0], "difference")).toEqual([1, 0]);
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
