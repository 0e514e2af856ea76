import { describe, expect, test } from "vitest";
import { areaPath, linePath } from "../../src/marks/path";
import { groupTraces, segments, traceBand, traceLine } from "../../src/marks/segments";

const x = (t: number) => 10 * t;

describe("linePath", () => {
  test("rounds to tenths of a pixel", () => {
    expect(linePath([0, 1], x, () => 1.26)).toBe("M0,1.3L10,1.3");
  });
  test("breaks where a value is missing", () => {
    expect(linePath([0, 1, 2, 3], x, (t) => (t === 1 ? Number.NaN : 5))).toBe("M0,5M20,5L30,5");
  });
});

test("areaPath closes each stretch where both edges are defined", () => {
  const upper = (t: number) => (t === 2 ? Number.NaN : 9);
  const path = areaPath([0, 1, 2, 3, 4], x, () => 1, upper);
  expect(path).toBe("M0,9L10,9L10,1L0,1ZM30,9L40,9L40,1L30,1Z");
});

describe("runs", () => {
  const levels = [2, 2, 0, 0, 0, 2];
  test("share the point between them", () => {
    expect(segments(levels, (level) => level === 0)).toEqual([[2, 3, 4]]);
    expect(segments(levels, (level) => level === 2)).toEqual([
      [0, 1, 2],
      [4, 5],
    ]);
  });
  test("a line is cut there, and so is its band", () => {
    const line = traceLine(x, () => 1, levels);
    expect(line.solid).toBe("M20,1L30,1L40,1");
    expect(line.faded).toBe("M0,1L10,1L20,1M40,1L50,1");
    const band = traceBand(
      x,
      () => 2,
      () => 1,
      levels,
    );
    expect(band.solid).toBe("M20,1L30,1L40,1L40,2L30,2L20,2Z");
    expect(band.faded.match(/Z/g)).toHaveLength(2);
  });
  test("where it is wide a line is its own part, and its band goes on", () => {
    const wide = [0, 0, 1, 1];
    expect(traceLine(x, () => 1, wide)).toEqual({ solid: "M0,1L10,1", wide: "M10,1L20,1L30,1", faded: "" });
    const band = traceBand(
      x,
      () => 2,
      () => 1,
      wide,
    );
    expect(band.solid.match(/Z/g)).toHaveLength(1);
    expect(band.faded).toBe("");
  });
});

test("many lines become few traces, none lost", () => {
  const traces = Array.from({ length: 40 }, (_, k) => ({ solid: `s${k};`, wide: "", faded: `f${k};` }));
  const groups = groupTraces(traces, 16);
  expect(groups).toHaveLength(16);
  expect(groups.flatMap(({ solid }) => solid.split(";").filter(Boolean))).toHaveLength(40);
  expect(groupTraces([])).toEqual([]);
});
