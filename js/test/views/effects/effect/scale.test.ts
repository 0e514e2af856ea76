import { expect, test } from "vitest";
import type { DerivedView } from "../../../../src/views/effects/effect/derive_view";
import { effectDomain } from "../../../../src/views/effects/effect/scale";

const known = {
  value: [0.2, 0.3],
  lower: [0.19, 0.29],
  upper: [0.21, 0.31],
  lowest: new Float32Array([0, 0]),
  highest: new Float32Array([1, 1]),
};
const part = { kind: "pd", axes: [{}] };
const plain = {
  part,
  known,
  overlays: [],
  moved: null,
  exactly: false,
  bounds: null,
} as unknown as DerivedView;

function stressed(upper: number): DerivedView {
  const bounds = { certified: { lower: [0.1, 0.2], upper: [upper, upper] }, paper: null };
  const moved = { ...bounds, curve: { value: [0.25, 0.35] } };
  return { ...plain, moved, bounds, exactly: true } as unknown as DerivedView;
}

test("the axis holds the band of a stress, stays while it does, and goes back without one", () => {
  const at = (shown: DerivedView, before: readonly [number, number] | null) =>
    effectDomain(shown, "share", 5, before);
  const before = at(plain, null);
  expect(before[1]).toBeLessThan(0.5);
  const wide = at(stressed(0.7), before);
  expect(wide[1]).toBeGreaterThanOrEqual(0.7);
  expect(at(stressed(0.5), wide)).toBe(wide);
  expect(at(plain, wide)).toEqual(before);
});

test("the axis has the band at the distance chosen, and shares stay in [0, 1]", () => {
  const at = (lower: number, upper: number) => {
    const bounds = { certified: { lower: [lower, lower], upper: [upper, upper] }, paper: null };
    return effectDomain({ ...plain, bounds } as unknown as DerivedView, "share", 5, null);
  };
  const [low, high] = at(0.15, 0.4);
  expect(low).toBeLessThanOrEqual(0.15);
  expect(high).toBeGreaterThanOrEqual(0.4);
  expect(high).toBeLessThan(0.7);
  expect(at(0.001, 0.999)).toEqual([0, 1]);
});
