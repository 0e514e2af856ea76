import { describe, expect, test } from "vitest";
import { palette } from "../../src/theme/theme";

/** Where a view stands: a page or notebook, and there the row of a chosen or pointed feature, 4 % of the text's colour. */
const SURFACES = {
  light: ["#ffffff", "#f6f6f6"],
  dark: ["#111111", "#1a1a1a", "#1e1e1e"],
} as const;
const LEAST = 3;

/** Relative luminance and contrast as the Web Content Accessibility Guidelines 2.2 define them. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe("tracks, thumbs, idle lines and what stands out from them", () => {
  test("the measure is the guidelines'", () => {
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21, 6);
    expect(contrast("#ffffff", "#949494")).toBeCloseTo(3.03, 2);
  });
  test.each(["line", "baseline", "accent", "warning"] as const)("%s is told from every surface", (name) => {
    const [light, dark] = palette[name].match(/#[0-9a-f]{6}/gi) as [string, string];
    for (const surface of SURFACES.light) expect(contrast(light, surface)).toBeGreaterThanOrEqual(LEAST);
    for (const surface of SURFACES.dark) expect(contrast(dark, surface)).toBeGreaterThanOrEqual(LEAST);
  });
});

test("amber means distrust and nothing else", () => {
  const [light, dark] = palette.warning.match(/#[0-9a-f]{6}/gi) as [string, string];
  const others = Object.entries(palette).filter(([name]) => name !== "warning");
  for (const [name, value] of others) expect(value, name).not.toMatch(new RegExp(`${light}|${dark}`, "i"));
});
