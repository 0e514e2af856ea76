// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { pageColor, rgbOf } from "../../src/marks/page_colors";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["rgb(1, 2, 3)", [1, 2, 3]],
  ["rgba(255, 255, 255, 0.87)", [255, 255, 255]],
  ["color(srgb 1 0.5 0 / 0.6)", [255, 127.5, 0]],
  ["color(srgb 1 1 1)", [255, 255, 255]],
  ["oklab(0.5 0.1 0.1)", [128, 128, 128]],
  ["", [128, 128, 128]],
])("%s as numbers", (color, wanted) => {
  expect(rgbOf(color)).toEqual(wanted);
});

test("the page's colour is read inside the host, and nothing is left there", () => {
  const host = document.createElement("div");
  vi.spyOn(globalThis, "getComputedStyle").mockReturnValue({
    color: "color(srgb 1 1 1 / 0.6)",
  } as CSSStyleDeclaration);
  expect(pageColor(host, "--ts-quiet")).toEqual([255, 255, 255]);
  expect(host.childElementCount).toBe(0);
});
