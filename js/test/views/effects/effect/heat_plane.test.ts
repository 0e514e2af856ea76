// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { DerivedView } from "../../../../src/views/effects/effect/derive_view";
import { createHeatPlane } from "../../../../src/views/effects/effect/heat_plane";
import type { Drawing } from "../../../../src/views/effects/effect/plane";

const axis = (name: string) => ({ name, kind: "numeric", points: [0, 1, 3], labels: ["0", "1", "3"] });
const value = Float32Array.from({ length: 9 }, (_, k) => k);

/** The lines over cells without rows, as x and y of both ends. */
function strokes(empty: number[]): number[][] {
  const plane = createHeatPlane();
  const part = { kind: "pd", axes: [axis("a"), axis("b")], empty };
  const shown = { part, known: { value }, moved: null } as unknown as DerivedView;
  plane.draw({ shown, width: 400, response: "", format: { value: String } } as unknown as Drawing);
  const path = plane.element.querySelector(".ts-no-rows")?.getAttribute("d") ?? "";
  return path
    .split("M")
    .slice(1)
    .map((line) => line.split(/[,L]/).map(Number));
}

test("cells without rows are hatched, and no others", () => {
  expect(strokes([])).toEqual([]);
  const [first, last] = [strokes([0]), strokes([8])];
  expect(first.length).toBeGreaterThan(3);
  expect(last.length).toBeGreaterThan(3);
  const spread = (lines: number[][], k: number) =>
    lines.flatMap((line) => [line[k], line[k + 2]] as number[]);
  // the first cell lies at the lower left, the last at the upper right
  expect(Math.max(...spread(first, 0))).toBeLessThan(Math.min(...spread(last, 0)));
  expect(Math.min(...spread(first, 1))).toBeGreaterThan(Math.max(...spread(last, 1)));
});
