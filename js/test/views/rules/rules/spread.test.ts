import { describe, expect, test } from "vitest";
import {
  partsOf,
  quantileOf,
  spanWithin,
  spreadWords,
  stepPath,
} from "../../../../src/views/rules/rules/distribution";
import { reachOf, widest } from "../../../../src/views/rules/rules/panel";
import type { DistributionMessage, SameMessage } from "../../../../src/wire/messages";
import { decodeAnswer } from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";

const shown: DistributionMessage = {
  name: "a + b",
  values: [1, 2, 4, 8],
  classes: [],
  shares: [0.25, 0.25, 0.375, 0.125],
  own: -1,
  n_others: 0,
  mean: 3.25,
  ess: 12,
};
const same: SameMessage = { decided: 3, low: 2, high: 4, t: 1, lowest: 0, highest: 10 };

describe("a span of values", () => {
  test("is the answer's, or within √t of the prediction", () => {
    expect(spanWithin(same, 1)).toEqual({ low: 2, high: 4 });
    expect(spanWithin(same, 4)).toEqual({ low: 1, high: 5 });
    expect(spanWithin({ ...same, low: 0, t: null }, null)).toEqual({ low: 0, high: 4 });
  });

  test("holds its ends", () => {
    expect(partsOf(shown, { low: 2, high: 4 })).toEqual({ below: 0.25, within: 0.625, above: 0.125 });
    expect(partsOf(shown, { low: 5, high: 6 })).toEqual({ below: 0.875, within: 0, above: 0.125 });
  });

  test("says its shares", () => {
    expect(spreadWords(shown, same, spanWithin(same, 1))).toBe(
      "62.5 % between 2.00 and 4.00, 25.0 % below and 12.5 % above; mean 3.25, predicted 3.00.",
    );
  });

  test.each(["value", "interval"] as const)("%s: holds as much as Python says", (name) => {
    const answer = decodeAnswer(rulesTraits(name));
    const own = answer.same as SameMessage;
    answer.rules.forEach(({ sdp }, place) => {
      const one = answer.distributions[place] as DistributionMessage;
      expect(partsOf(one, spanWithin(own, own.t)).within).toBeCloseTo(sdp, 9);
    });
  });
});

test("steps and quantiles", () => {
  expect(stepPath(shown, (value) => value / 10)).toBe(
    "M0,1H0.1000V0.7500H0.2000V0.5000H0.4000V0.1250H0.8000V0.0000H1",
  );
  expect([0.05, 0.25, 0.26, 0.9, 1].map((level) => quantileOf(shown, level))).toEqual([1, 1, 2, 8, 8]);
});

describe("the slider of a span", () => {
  test("goes to half the range of the rows, or to what was asked for", () => {
    expect(widest(same, 1)).toEqual({ high: 5, step: 0.05 });
    expect(widest(same, 7.3).high).toBeCloseTo(7.3, 9);
    expect(widest({ ...same, lowest: 3, highest: 3 }, 0.2).high).toBeCloseTo(0.2, 9);
  });

  test("reads as it was typed", () => {
    expect(reachOf(12.3 * 12.3)).toBe(12.3);
  });
});
