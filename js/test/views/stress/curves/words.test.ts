import { describe, expect, test } from "vitest";
import { paretoWord, reliabilityOf, reliabilityWords } from "../../../../src/views/shared/reliability";
import { capitalize, intervalWords, sliderWords } from "../../../../src/views/shared/words";
import { populationWords } from "../../../../src/views/stress/curves/words";
import { example, VERDICTS } from "../../../support/example";

const [age, female] = example().message.features as [Feature, Feature];
type Feature = ReturnType<typeof example>["message"]["features"][number];
const whole = ({ strong, rest }: { strong: string; rest: string }) => strong + rest;

describe("the population in words", () => {
  test("a mean", () => {
    const words = populationWords(age, "38.6", "45.0", true, "569");
    expect(whole(words)).toBe("age 45.0 on average instead of 38.6, weights changed as little as possible");
  });
  test("a share", () => {
    const words = populationWords(female, "33.0 %", "50.0 %", true, "569");
    expect(whole(words)).toMatch(/^share of sex = Female 50\.0 % instead of 33\.0 %/);
  });
  test("nothing moved", () => {
    expect(whole(populationWords(age, "38.6", "38.6", false, "569"))).toBe("the data as they are: 569 rows");
  });
});

test("a slider says τ and what it means", () => {
  expect(sliderWords(age, "0.25", "45.0")).toBe("τ 0.25, age 45.0 on average");
  expect(sliderWords(female, "0.25", "50.0 %")).toBe("τ 0.25, share of sex = Female 50.0 %");
});

describe("trust", () => {
  test.each([
    [100, 0.2, 0, "good"],
    [30, 0.5, 0, "good"],
    [29.9, 0.2, 1, "good"],
    [100, 0.51, 1, "interval not trustworthy"],
    [100, 0.71, 2, "neither estimate nor interval trustworthy"],
    [100, Infinity, 2, "neither estimate nor interval trustworthy"],
    [100, Number.NaN, 2, "neither estimate nor interval trustworthy"],
    [Number.NaN, 0.1, 1, "good"],
  ])("ess %d, k̂ %d", (ess, k, level, word) => {
    expect(reliabilityOf(ess, k)).toBe(level);
    expect(paretoWord(VERDICTS, k)).toBe(word);
  });

  test("every doubt has its sentence", () => {
    expect(whole(reliabilityWords(VERDICTS, false, 569, 569, 0))).toBe(
      "Unstressed: all 569 rows count the same.",
    );
    expect(whole(reliabilityWords(VERDICTS, true, 400.4, 569, 0.1))).toBe(
      "Trustworthy: 400 effective rows, none of them dominating.",
    );
    expect(whole(reliabilityWords(VERDICTS, true, 20, 569, 0.1))).toBe(
      "Interval not trustworthy: 20 effective rows (< 30).",
    );
    expect(whole(reliabilityWords(VERDICTS, true, 1.2, 569, 0.1))).toBe(
      "Interval not trustworthy: 1 effective row (< 30).",
    );
    expect(whole(reliabilityWords(VERDICTS, true, 20, 569, 0.6))).toBe(
      "Interval not trustworthy: few rows dominate (k̂ 0.60 > 0.5), 20 effective rows (< 30).",
    );
    expect(whole(reliabilityWords(VERDICTS, true, 200, 569, 0.9))).toBe(
      "Neither estimate nor interval trustworthy: few rows dominate (k̂ 0.90 > 0.7).",
    );
  });
});

test("an interval that is not there is said to be missing", () => {
  expect(intervalWords("22.0", "23.3")).toBe("22.0 – 23.3");
  expect(intervalWords("n/a", "23.3")).toBe("no interval");
});

test("heading", () => {
  expect(capitalize("error rate")).toBe("Error rate");
  expect(capitalize("")).toBe("");
});
