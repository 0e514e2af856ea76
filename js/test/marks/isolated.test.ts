// @vitest-environment jsdom
import { expect, test } from "vitest";
import CASES from "../../../tests/wire/isolated.json";
import { html, isolated, setText } from "../../src/marks/element";

test.each(CASES)("as Python isolates it: $text", ({ text, isolated: wanted }) => {
  expect(isolated(text)).toBe(wanted);
  expect(isolated(wanted)).toBe(wanted);
});

test("what is read has its names isolated, and what is copied is as it was", () => {
  const words = html("p", { title: "21 < גיל ≤ 26" }, "21 < גיל ≤ 26");
  expect([words.textContent, words.title]).toEqual(Array(2).fill("21 < \u2068גיל\u2069 ≤ 26"));
  setText(words, "תכל");
  expect(words.textContent).toBe("\u2068תכל\u2069");
  expect(html("code", {}, "study.effect('גיל')").textContent).toBe("study.effect('גיל')");
});
