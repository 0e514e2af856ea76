import { expect, test } from "vitest";
import { BOLD, cutMiddle, fitText, textWidth } from "../../src/marks/text_width";

test("wider letters are wider", () => {
  expect(textWidth("www", 12)).toBeGreaterThan(textWidth("iii", 12));
  expect(textWidth("漢字", 12)).toBeGreaterThan(textWidth("ab", 12));
});

test("names that differ at their ends still differ when cut", () => {
  const names = ["Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent"].map(
    (level) => `marital-status = ${level}`,
  );
  expect(new Set(names.map((name) => fitText(name, 12, 150))).size).toBe(3);
  expect(cutMiddle("abcdefghij", 5)).toBe("ab…ij");
  expect(cutMiddle("abcde", 5)).toBe("abcde");
});

test("fitText cuts what does not fit, in the middle", () => {
  expect(fitText("age", 12, 100)).toBe("age");
  const cut = fitText("marital-status = Married-civ-spouse", 12, 100);
  expect(cut).toMatch(/^marit.*….*spouse$/);
  expect(textWidth(cut, 12)).toBeLessThanOrEqual(100);
});

test("no word is wider than estimated in DejaVu Sans, the widest of common faces, plain or bold", () => {
  // measured in Chromium, in em
  const measured = { bbbb: [2.54, 2.86], nnnn: [2.54, 2.85], hound: [3.15, 3.54], "& &": [1.88, 2.1] };
  for (const [word, [plain = 0, bold = 0]] of Object.entries(measured)) {
    expect(textWidth(word, 1)).toBeGreaterThanOrEqual(plain);
    expect(BOLD * textWidth(word, 1)).toBeGreaterThanOrEqual(bold);
  }
});
