import { expect, test, vi } from "vitest";
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

/** How many letters are measured while `work` runs: each is looked up by the first kind of letter. */
function lettersMeasured(work: () => void): number {
  const spy = vi.spyOn(RegExp.prototype, "test");
  work();
  const kinds = spy.mock.contexts.filter((kind) => (kind as unknown as RegExp).source.startsWith("[iljI"));
  spy.mockRestore();
  return kinds.length;
}

test("of a name of any length no more is measured than a place could show", () => {
  const measured = (length: number) =>
    lettersMeasured(() => expect(fitText("wide ".repeat(length / 5), 12, 160)).toMatch(/^wide .*….*wide/));
  expect(measured(1000)).toBeLessThan(3000);
  expect(measured(100_000)).toBe(measured(1000));
  expect(lettersMeasured(() => textWidth("é".repeat(100_000), 12))).toBeLessThanOrEqual(400);
  expect(textWidth("a".repeat(100_000), 12)).toBeGreaterThan(textWidth("a".repeat(50_000), 12));
});

test("letters of two code units are cut whole", () => {
  expect(cutMiddle("𝔞𝔟𝔠𝔡𝔢𝔣𝔤𝔥", 5)).toBe("𝔞𝔟…𝔤𝔥");
  expect(cutMiddle("𝔞b".repeat(1000), 4)).toBe("𝔞b…b");
  expect(cutMiddle("𝔞𝔟𝔠𝔡𝔢", 5)).toBe("𝔞𝔟𝔠𝔡𝔢");
});
