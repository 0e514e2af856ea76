import { expect, test } from "vitest";
import { fullHeight, ROW_HEIGHT, scrolledTo, sightOf } from "../../../../src/views/workspace/table/grid";

const HEIGHT = 10 * ROW_HEIGHT;

test("a short list is drawn whole", () => {
  expect(sightOf(0, HEIGHT, 4)).toEqual({ first: 0, end: 4, top: 0 });
  expect(scrolledTo(3, 0, HEIGHT, 4)).toBe(0);
});

test.each([1000, 100_000, 3_000_000])("of %i rows those in sight are drawn where they are", (n) => {
  const last = fullHeight(n) - HEIGHT;
  expect(sightOf(0, HEIGHT, n)).toEqual({ first: 0, end: 16, top: 0 });
  const end = sightOf(last, HEIGHT, n);
  expect(end.end).toBe(n);
  expect(end.end - end.first).toBeLessThan(25);
  expect(end.top + (end.end - end.first) * ROW_HEIGHT).toBeCloseTo(fullHeight(n), 0);
});

test.each([1000, 3_000_000])("any of %i rows can be brought into sight, and stays where it is seen", (n) => {
  let scrolled = 0;
  for (const place of [0, 500, n - 1, Math.floor(n / 2), 3]) {
    scrolled = scrolledTo(place, scrolled, HEIGHT, n);
    const { first, end } = sightOf(scrolled, HEIGHT, n);
    expect(place).toBeGreaterThanOrEqual(first);
    expect(place).toBeLessThan(end);
    expect(scrolledTo(place, scrolled, HEIGHT, n)).toBeCloseTo(scrolled, 3);
  }
});
