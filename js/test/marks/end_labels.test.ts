import { describe, expect, test } from "vitest";
import { endLabels, spreadLabels } from "../../src/marks/end_labels";

function gaps(placed: readonly number[]): number[] {
  const sorted = [...placed].sort((a, b) => a - b);
  return sorted.slice(1).map((at, k) => at - (sorted[k] as number));
}

describe("spreadLabels", () => {
  test("leaves labels with room where they are", () => {
    expect(spreadLabels([50, 10, 90], 15, 0, 100)).toEqual([50, 10, 90]);
  });
  test("moves a pile apart around its middle, in order", () => {
    expect(spreadLabels([50, 50, 50], 10, 0, 100)).toEqual([40, 50, 60]);
    expect(spreadLabels([52, 50], 10, 0, 100)).toEqual([56, 46]);
  });
  test("stays inside", () => {
    expect(spreadLabels([0, 1, 2], 10, 0, 100)).toEqual([0, 10, 20]);
    expect(spreadLabels([99, 100], 10, 0, 100)).toEqual([90, 100]);
  });
  test("shrinks the gap when there is no room for it", () => {
    expect(spreadLabels([5, 5, 5], 10, 0, 10)).toEqual([0, 5, 10]);
  });
  test("keeps the gap for any positions", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    for (let round = 0; round < 200; round++) {
      const desired = Array.from({ length: 1 + Math.floor(12 * random()) }, () => 300 * random());
      const placed = spreadLabels(desired, 15, 0, 300);
      expect(Math.min(...gaps(placed), Infinity)).toBeGreaterThanOrEqual(15 - 1e-9);
      expect(Math.min(...placed)).toBeGreaterThanOrEqual(-1e-9);
      expect(Math.max(...placed)).toBeLessThanOrEqual(300 + 1e-9);
    }
  });
  test("nothing to place", () => {
    expect(spreadLabels([], 10, 0, 100)).toEqual([]);
  });
});

describe("endLabels", () => {
  const options = { gap: 10, low: 0, high: 100, most: 5, farthest: 12 };
  const lines = (ends: number[], chosen: number) =>
    endLabels(ends, chosen, options)
      .map(({ line }) => line)
      .sort((a, b) => a - b);

  test("all, when there is room", () => {
    expect(lines([10, 40, 70], 1)).toEqual([0, 1, 2]);
  });
  test("the chosen one and the outermost, when there are many", () => {
    const ends = Array.from({ length: 20 }, (_, k) => 5 * k);
    expect(lines(ends, 9)).toEqual([0, 1, 9, 18, 19]);
  });
  test("no label far from its line, but always the chosen one's", () => {
    expect(lines([50, 50, 50, 50, 50, 50], 3)).toContain(3);
    for (const { line, at } of endLabels([50, 51, 52, 53, 54, 55], 3, options)) {
      if (line !== 3) expect(Math.abs(at - (50 + line))).toBeLessThanOrEqual(12);
    }
  });
  test("lines without an end have no label", () => {
    expect(lines([10, Number.NaN, 50], 1)).toEqual([0, 2]);
  });
});
