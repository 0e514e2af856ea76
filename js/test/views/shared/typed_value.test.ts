import { describe, expect, test } from "vitest";
import { featureFormat, quantityFormat } from "../../../src/theme/formats";
import { type Asked, readTyped, typingHint } from "../../../src/views/shared/typed_value";

const AGE: Asked = { name: "age", kind: "numeric", unit: "", mean: 38.8, low: 19.04, high: 62.98 };
const SHARE: Asked = { name: "sex = Female", kind: "share", unit: "", mean: 0.33, low: 0, high: 1 };
const SINCE: Asked = { name: "since", kind: "numeric", unit: "year", mean: 2015.5, low: 2010, high: 2020 };

const read = (text: string, asked: Asked) =>
  readTyped(text, asked, featureFormat(asked, asked.high - asked.low).value);
const target = (text: string, asked: Asked) => {
  const typed = read(text, asked);
  return "target" in typed ? typed.target : typed.problem;
};

describe("a mean", () => {
  test.each([
    ["45", 45],
    [" 43,8 ", 43.8],
    ["+5", 43.8],
    ["-3", 35.8],
    ["− 3", 35.8],
    ["+10 %", 42.68],
    ["-10%", 34.92],
    ["4.5e1", 45],
    ["", 38.8],
    ["63.0", 62.98],
    ["19.0", 19.04],
  ])("“%s”", (text, value) => {
    expect(target(text, AGE)).toBeCloseTo(value, 6);
  });
  test("thousands as they are written, and values below 0 after =", () => {
    const gain: Asked = { ...AGE, mean: 1187, low: -500, high: 15000 };
    expect(target("1,500", gain)).toBe(1500);
    expect(target("=-300", gain)).toBe(-300);
    expect(target("-300", gain)).toBe(887);
  });
  test.each([
    ["old", "Write a mean such as"],
    ["12 13 x", "Write a mean such as"],
    ["10 %", "Write +10 % for"],
    ["99", "Here age goes from 19.0 to 63.0."],
    ["+1e9", "Here age goes from"],
    ["1e999", "Here age goes from"],
  ])("“%s” gets a sentence", (text, words) => {
    expect(target(text, AGE)).toContain(words);
  });
});

describe("a share", () => {
  test.each([
    ["45", 0.45],
    ["45.5 %", 0.455],
    ["+5", 0.38],
    ["-3 %", 0.3],
    ["0", 0],
    ["0.5 %", 0.005],
    ["100", 1],
  ])("“%s”", (text, value) => {
    expect(target(text, SHARE)).toBeCloseTo(value, 9);
  });
  test.each([
    ["0.4", "Is it 0.4 % or 40 %?"],
    ["120", "Here sex = Female goes from 0.0 % to 100.0 %."],
    ["half", "Write a share such as"],
  ])("“%s” gets a sentence", (text, words) => {
    expect(target(text, SHARE)).toContain(words);
  });
});

describe("a date", () => {
  const write = featureFormat(SINCE, 10).value;
  test("is read and written as one", () => {
    expect(write(target("2016-03-01", SINCE) as number)).toBe("2016-03-01");
    expect(write(target("2016", SINCE) as number)).toBe("2016-01-01");
    expect(write(target("2016-05", SINCE) as number)).toBe("2016-05-01");
    expect(target("+1 year", SINCE)).toBeCloseTo(2016.5, 9);
    expect(target("-90 days", SINCE)).toBeCloseTo(2015.5 - 90 / 365.2425, 9);
  });
  test.each([
    ["+5", "Write a date such as"],
    ["2015-02-30", "Write a date such as"],
    ["1990-01-01", "Here since goes from 20"],
  ])("“%s” gets a sentence", (text, words) => {
    expect(target(text, SINCE)).toContain(words);
  });
});

test("each kind says what may be typed", () => {
  expect([AGE, SHARE, SINCE].map((asked) => typingHint(asked).split(" ").slice(0, 2).join(" "))).toEqual([
    "A mean",
    "A share",
    "A date",
  ]);
  expect(quantityFormat("share", 1).value(0.4)).toBe("40.0 %");
});
