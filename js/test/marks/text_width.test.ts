import { expect, test } from "vitest";
import { fitText, textWidth } from "../../src/marks/text_width";

test("wider letters are wider", () => {
  expect(textWidth("www", 12)).toBeGreaterThan(textWidth("iii", 12));
  expect(textWidth("漢字", 12)).toBeGreaterThan(textWidth("ab", 12));
});

test("fitText cuts what does not fit", () => {
  expect(fitText("age", 12, 100)).toBe("age");
  const cut = fitText("marital-status = Married-civ-spouse", 12, 100);
  expect(cut).toMatch(/^marital-s.*…$/);
  expect(textWidth(cut, 12)).toBeLessThanOrEqual(100);
});
