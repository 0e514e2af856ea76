import { nice as niceOfD3, tickStep as tickStepOfD3, ticks as ticksOfD3 } from "d3-array";
import { expect, test } from "vitest";
import { nice, tickStep, ticks } from "../../src/marks/ticks";

const SPANS = Array.from({ length: 3000 }, (_, k) => {
  const low = Math.sin(k) * 10 ** ((k % 13) - 6);
  return [low, low + (1.001 + Math.cos(3 * k)) * 10 ** ((k % 17) - 8)] as const;
});

test.each([2, 3, 5, 8])("ticks, about %i of them, are d3-array's", (count) => {
  for (const [low, high] of [...SPANS, [0, 1], [0, 100], [0.1, 0.3], [-1, 1]] as const) {
    const where = `${low} to ${high}`;
    expect(ticks(low, high, count), where).toEqual(ticksOfD3(low, high, count));
    expect(nice(low, high, count), where).toEqual(niceOfD3(low, high, count));
    expect(tickStep(low, high, count), where).toBe(tickStepOfD3(low, high, count));
  }
});

test("are round", () => {
  expect(ticks(0.1, 0.72, 4)).toEqual([0.2, 0.4, 0.6]);
  expect(ticks(3, 3, 4)).toEqual([3]);
  expect(nice(0.13, 0.68, 5)).toEqual([0.1, 0.7]);
});
