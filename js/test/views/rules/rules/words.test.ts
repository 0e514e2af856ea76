import { describe, expect, test } from "vitest";
import { moveSide, ownCell, ruleOf, sidesOf, withEdge } from "../../../../src/views/rules/rules/state";
import { bracketWords, conditionWords, ruleWords } from "../../../../src/views/rules/rules/words";
import type { RuleAxisMessage } from "../../../../src/wire/messages";
import { decodeAnswer, type Rule } from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";

const first = (name: "levels" | "weighted" | "missing") => decodeAnswer(rulesTraits(name)).rules[0] as Rule;
/** An axis whose grown words no side of the tests has. */
const number: RuleAxisMessage = {
  name: "x",
  kind: "number",
  whole: false,
  movable: true,
  words: "as grown",
  cuts: [1.5, 2.5],
  over: ["1.5", "2.5"],
  up_to: ["1.5", "2.5"],
  levels: [],
  inside: [false, false, false],
  missing: false,
  can_miss: false,
  value: 2,
  value_words: "2",
  lowest: 0,
  highest: 4,
  lowest_words: "0",
  highest_words: "4",
};
const whole: RuleAxisMessage = { ...number, whole: true, cuts: [1, 2], over: ["2", "3"], up_to: ["1", "2"] };
const names = ["a", "b", "c", "d", "e", "f", "g"];
const levels: RuleAxisMessage = {
  ...number,
  kind: "levels",
  cuts: [],
  over: [],
  up_to: [],
  levels: names,
  inside: names.map(() => false),
};
const side = (inside: boolean[], missing = false) => ({ inside, missing });
const coded = (held: string) => side(names.map((name) => held.includes(name)));

describe("conditions, in Python's words", () => {
  test.each([
    [number, side([true, true, false]), "x ≤ 2.5"],
    [number, side([false, true, true]), "x > 1.5"],
    [number, side([false, true, false]), "1.5 < x ≤ 2.5"],
    [number, side([true, true, true]), "any x"],
    [whole, side([false, true, true]), "x ≥ 2"],
    [whole, side([false, true, false]), "x is 2"],
    [{ ...whole, up_to: ["1", "5"] }, side([false, true, false]), "x from 2 to 5"],
    [{ ...number, can_miss: true }, side([true, false, false]), "x ≤ 1.5"],
    [{ ...number, can_miss: true }, side([true, false, false], true), "x ≤ 1.5, or missing"],
    [{ ...number, can_miss: true }, side([true, true, true]), "x is not missing"],
    [{ ...number, can_miss: true }, side([true, true, true], true), "any x"],
    [{ ...number, can_miss: true }, side([false, false, false], true), "x is missing"],
    [levels, coded("a"), "x is a"],
    [levels, coded("abc"), "x is a, b or c"],
    [levels, coded("abcdef"), "x is not g"],
    [levels, coded("abcdefg"), "any x"],
    [number, side([false, false, false]), "as grown"],
  ] as const)("%#", (axis, asked, words) => {
    expect(conditionWords(axis as RuleAxisMessage, asked)).toBe(words);
  });

  test.each(["levels", "weighted", "missing"] as const)("%s: put together as Python did", (name) => {
    for (const axis of first(name).axes) {
      expect(conditionWords({ ...axis, inside: axis.inside.map((is) => !is) }, axis)).toBe(axis.words);
    }
  });

  test("a rule of any value is always so", () => {
    const rule = { ...first("levels"), condition: "" };
    expect(ruleWords("predicted no", { rule, sides: sidesOf(rule, null), counts: null, after: null })).toBe(
      "Always: predicted no.",
    );
    expect(bracketWords({ lower: 0.5, upper: 0.75 })).toBe(" [50.0 %, 75.0 %]");
    expect(bracketWords({ lower: null, upper: null })).toBe("");
  });
});

describe("edges", () => {
  test("one moved back is as grown", () => {
    const rule = first("levels");
    const [age] = rule.axes as [RuleAxisMessage];
    const moved = moveSide(rule, null, 0, withEdge(age, "lower", 0));
    expect(moved?.sides[0]?.inside[0]).toBe(true);
    expect(
      moveSide(rule, moved, 0, withEdge(moved?.sides[0] ?? age, "lower", age.inside.indexOf(true))),
    ).toBe(null);
  });

  test("the row's own cell", () => {
    expect([0, 1.5, 2, 9].map((value) => ownCell({ ...number, value }))).toEqual([0, 0, 1, 2]);
    expect(ownCell({ ...number, value: null })).toBe(-1);
    expect(ownCell({ ...levels, value: 4 })).toBe(4);
  });

  test("a set that is not there is the last", () => {
    const answer = decodeAnswer(rulesTraits());
    expect(ruleOf(answer, { rule: 9 }).place).toBe(answer.rules.length - 1);
    expect(ruleOf(decodeAnswer(rulesTraits("none")), { rule: 0 }).rule).toBe(null);
  });
});
