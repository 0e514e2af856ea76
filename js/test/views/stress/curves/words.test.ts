import { describe, expect, test } from "vitest";
import { NO_FEW } from "../../../../src/solve/stress/carriers";
import {
  judgePopulation,
  judgeWeights,
  longestWords,
  reliabilityWords,
} from "../../../../src/views/shared/reliability";
import { capitalize, intervalWords, sliderWords } from "../../../../src/views/shared/words";
import { populationWords } from "../../../../src/views/stress/curves/words";
import { type Judged, judgedFrom } from "../../../../src/wire/reasons";
import { example, REASONS } from "../../../support/example";

const [age, female] = example().message.features as [Feature, Feature];
type Feature = ReturnType<typeof example>["message"]["features"][number];
const whole = ({ strong, rest }: { strong: string; rest: string }) => strong + rest;

describe("the population in words", () => {
  test("a mean", () => {
    const words = populationWords(age, "38.6", "45.0", true, "569", "none");
    expect(whole(words)).toBe("age 45.0 on average (was 38.6)");
  });
  test("a share", () => {
    const words = populationWords(female, "33.0 %", "50.0 %", true, "569", "none");
    expect(whole(words)).toBe("sex = Female for 50.0 % of rows (was 33.0 %)");
  });
  test("with the others held", () => {
    const words = populationWords(age, "38.6", "45.0", true, "569", "means");
    expect(whole(words)).toBe("age 45.0 on average (was 38.6), the other means held");
  });
  test("nothing moved", () => {
    expect(whole(populationWords(age, "38.6", "38.6", false, "569", "none"))).toBe(
      "the data as they are: 569 rows",
    );
  });
});

test("a slider says τ and what it means", () => {
  expect(sliderWords(age, "0.25", "45.0")).toBe("τ 0.25, age 45.0 on average");
  expect(sliderWords(female, "0.25", "50.0 %")).toBe("τ 0.25, share of sex = Female 50.0 %");
});

describe("reliability", () => {
  const judged = (name: string, amount: number): Judged => ({
    reason: REASONS.findIndex((reason) => reason.name === name),
    amount,
  });
  const rates = ["false positives", "true negatives"];
  const said = (name: string, amount: number, stressed = true) =>
    whole(reliabilityWords(REASONS, rates, judged(name, amount), stressed, 569));

  test("has a level and a reason", () => {
    expect(said("none", 0)).toBe("Reliable: the number and its interval can be read.");
    expect(said("few_events", 9.97)).toBe(
      "Wide: 9 effective false positives: read the interval, not the number.",
    );
    expect(said("few_events", 7 - 1e-14)).toContain("Wide: 7 effective false positives");
    expect(said("few_non_events", 1.2)).toBe(
      "Wide: fewer than 2 effective true negatives: read the interval, not the number.",
    );
    expect(said("few_rows_beyond", 9)).toBe("Unreliable: only 9 rows lie at or beyond the target.");
    expect(said("heavy_tail", 0.62)).toBe("Unreliable: a few false positives decide it (tail index 0.62).");
    expect(said("heavy_weights", Infinity)).toBe("Unreliable: a few large weights decide it (Pareto k̂ ∞).");
  });
  test("without stress is only what there is too little of", () => {
    expect(said("none", 0, false)).toBe("As tested: all 569 rows count the same.");
    expect(said("few_events", 9, false)).toBe(
      "As tested: all 569 rows count the same; 9 effective false positives: read the interval, not the number.",
    );
  });
  test.each([
    [100, 0.2, "none"],
    [10, 0.7, "none"],
    [9.9, 0.2, "some_rows_carry_all"],
    [2.9, 0.2, "few_rows_carry_all"],
    [99, 0.71, "heavy_weights"],
    [99, Infinity, "heavy_weights"],
    [99, Number.NaN, "heavy_weights"],
    [100, 0.71, "none"],
    [Number.NaN, 0.1, "few_rows_carry_all"],
  ])("of weights with %d degrees of freedom and k̂ %d", (df, k, name) => {
    expect(REASONS[judgeWeights(REASONS, df, k, NO_FEW).reason]?.name).toBe(name);
  });
  test.each([
    [13, 13, "some_carriers", "wide", "13 rows carry 25 % of the weight"],
    [9, 9, "few_carriers", "unreliable", "9 rows carry 25 % of the weight"],
    [9, 2.9, "few_rows_carry_all", "unreliable", "a handful of rows carries the weight"],
    [0, 13, "none", "reliable", ""],
  ])("of %d rows that carry a quarter of all weight", (n, df, name, level, words) => {
    const carriers = { n, share: n > 0 ? 0.25 : 0 };
    expect(REASONS[judgeWeights(REASONS, df, -3, carriers).reason]?.name).toBe(name);
    expect(judgePopulation(REASONS, df, carriers)).toEqual({ level, words });
  });
  test("room is made for the longest sentence", () => {
    const metrics = [{ events: rates }, { events: ["a", "b"] }];
    expect(longestWords(REASONS, metrics).length).toBeGreaterThanOrEqual(said("few_events", 9).length);
  });
  test("an amount comes in a byte", () => {
    const { reason } = judged("heavy_tail", 0);
    expect(judgedFrom(REASONS, reason, 62).amount).toBe(0.62);
    expect(judgedFrom(REASONS, reason, 255).amount).toBe(Infinity);
    expect(judgedFrom(REASONS, judged("few_events", 0).reason, 9).amount).toBe(9);
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
