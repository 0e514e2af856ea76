// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { hatch } from "../../src/marks/hatch";
import { binWords, createHistogram, openWords } from "../../src/marks/histogram";

const write = (value: number) => value.toFixed(1);
const AGES = { edges: [16.5, 36.5, 56.5, 76.5, 90], open: [false, true] };

function drawn(bins = AGES) {
  const histogram = createHistogram();
  const path = (name: string) => histogram.element.querySelector(`.${name}`)?.getAttribute("d") ?? "";
  histogram.show(240, bins, [0.4, 0.4, 0.19, 0.01], 40, "Ages.");
  histogram.mark([0.3, 0.3, 0.3, 0.1], 46);
  return { ...histogram, path };
}

describe("open bars", () => {
  test("are called what they are", () => {
    expect([0, 1, 2, 3].map((bin) => binWords(AGES, bin, write))).toEqual([
      "16.5 – 36.5",
      "36.5 – 56.5",
      "56.5 – 76.5",
      "76.5 and over",
    ]);
    expect(binWords({ ...AGES, open: [true, true] }, 0, write)).toBe("under 36.5");
    expect(openWords(AGES, write)).toBe(" Hatched: 76.5 and over.");
    expect(openWords({ ...AGES, open: [false, false] }, write)).toBe("");
  });

  test("are hatched and have no side where they are open; the others are filled", () => {
    const { path } = drawn();
    expect(path("ts-before").match(/Z/g)).toHaveLength(3);
    expect(path("ts-before-open")).not.toContain("Z");
    expect(path("ts-after")).not.toMatch(/V74(\.0)?$/);
    expect(drawn({ ...AGES, open: [false, false] }).path("ts-before-open")).toBe("");
  });

  test("have their own words on the axis, and no ticks, which may not be to scale", () => {
    const labels = (open: boolean[]) =>
      [...drawn({ ...AGES, open }).element.querySelectorAll(".ts-tick")].map((tick) => tick.textContent);
    expect(labels([false, false])).toEqual(["20", "40", "60", "80"]);
    expect(labels([false, true])).toEqual(["76.5+", "20", "40", "60"]);
    expect(labels([true, false])).toEqual(["<36.5", "40", "60", "80"]);
  });

  test("have as many decimals on the axis as the bars need", () => {
    const edges = [0, 0.112345, 0.265823, 0.3];
    const { element } = drawn({ edges, open: [false, true] });
    expect(element.querySelector(".ts-tick")?.textContent).toBe("0.266+");
  });
});

test("the scale is fixed while a slider moves, and what is higher is cut with an arrow", () => {
  const histogram = createHistogram();
  const path = (name: string) => histogram.element.querySelector(`.${name}`)?.getAttribute("d") ?? "";
  const even = { edges: [0, 1, 2], open: [false, false] };
  histogram.show(240, even, [0.5, 0.5], 1, "Halves.");
  histogram.mark([0.5, 0.5], 1);
  const grey = path("ts-before");
  expect(path("ts-after-cut")).toBe("");
  histogram.mark([0.05, 0.95], 1.9);
  expect(path("ts-before")).toBe(grey);
  expect(path("ts-after-cut").match(/Z/g)).toHaveLength(1);
  for (const [, y] of path("ts-after").matchAll(/V([\d.]+)/g)) expect(Number(y)).toBeGreaterThanOrEqual(3);
});

test("hatching stays within its rectangle", () => {
  const numbers = [...hatch(10, 40, 20, 50).matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  expect(numbers.length).toBeGreaterThan(10);
  for (const [x, y] of numbers as [number, number][]) {
    expect(x >= 10 && x <= 40 && y >= 20 && y <= 50).toBe(true);
  }
  expect(hatch(10, 10, 20, 50)).toBe("");
});
