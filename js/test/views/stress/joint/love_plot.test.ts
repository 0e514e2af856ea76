import { expect, test } from "vitest";
import { drawnFeatures } from "../../../../src/views/stress/joint/love_plot";

const columns = [[0], [3, 1, 2], [4], [6, 5]];
const still = () => 1e-17;

test("a column of levels has the row of the one that went farthest, at rest of the largest", () => {
  expect(drawnFeatures(columns, new Set(), still)).toEqual([0, 3, 4, 6]);
  const far = (feature: number) => (feature === 2 ? -0.3 : 0.1);
  expect(drawnFeatures(columns, new Set(), far)).toEqual([0, 2, 4, 6]);
  expect(drawnFeatures(columns, new Set(), () => Number.NaN)).toEqual([0, 3, 4, 6]);
});

test("what is moved is drawn, also of columns past the first", () => {
  expect(drawnFeatures(columns, new Set([1, 3, 5]), still)).toEqual([0, 3, 1, 4, 5]);
  const many = Array.from({ length: 30 }, (_, k) => [k]);
  const drawn = drawnFeatures(many, new Set([28, 29]), still);
  expect(drawn).toEqual([...Array.from({ length: 12 }, (_, k) => k), 28, 29]);
});
