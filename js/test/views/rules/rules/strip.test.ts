import { describe, expect, test } from "vitest";
import {
  marksOf,
  markWords,
  nearestMark,
  shownPlace,
  stepFrom,
  tickPath,
  triedWords,
} from "../../../../src/views/rules/rules/strip";
import type { SubsetsMessage } from "../../../../src/wire/messages";
import { decodeAnswer } from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";

const subsets: SubsetsMessage = {
  features: ["a", "b", "c"],
  greedy: false,
  sizes: [
    { size: 1, n_tried: 3, n_all: 3, sets: [[2], [0], [1]], sdp: [0.9, 0.6, 0.2], minimal: [0], rules: [-1] },
    { size: 2, n_tried: 1, n_all: 3, sets: [[0, 1]], sdp: [0.95], minimal: [0], rules: [1] },
  ],
};
const [ones, twos] = subsets.sizes.map((size) => marksOf(subsets, size)) as [
  ReturnType<typeof marksOf>,
  ReturnType<typeof marksOf>,
];

describe("marks", () => {
  test("stand from the least probable to the most, minimal ones with their rule", () => {
    expect(ones.map(({ names, sdp, minimal, rule }) => [names[0], sdp, minimal, rule])).toEqual([
      ["b", 0.2, false, -1],
      ["a", 0.6, false, -1],
      ["c", 0.9, true, -1],
    ]);
    expect(twos[0]).toEqual({ names: ["a", "b"], sdp: 0.95, minimal: true, rule: 1 });
    expect(tickPath(ones)).toBe("M0.2000,0V1M0.6000,0V1M0.9000,0V1");
  });

  test("the nearest is found, a minimal one from further off", () => {
    expect([0, 0.3, 0.5, 1].map((share) => nearestMark(ones, share, 0))).toEqual([0, 0, 1, 2]);
    expect(nearestMark(ones, 0.74, 0)).toBe(1);
    expect(nearestMark(ones, 0.74, 0.05)).toBe(2);
    expect(nearestMark([], 0.5, 0)).toBe(-1);
  });

  test("say what they are", () => {
    expect(markWords(twos[0] as (typeof twos)[0], 0.9)).toBe("a + b: 95.0 %, a minimal set");
    expect(markWords(ones[1] as (typeof ones)[0], 0.9)).toBe("a: 60.0 %");
    expect(markWords(ones[1] as (typeof ones)[0], 0.5)).toBe("a: 60.0 %, reaches π = 0.5");
  });
});

describe("keys", () => {
  const rows = [ones, twos];

  test("begin at the rule shown, else at the most probable", () => {
    expect(shownPlace(rows, 1)).toEqual({ row: 1, mark: 0 });
    expect(shownPlace([ones], 0)).toEqual({ row: 0, mark: 2 });
  });

  test.each([
    ["ArrowLeft", 0, 1, 0, 0],
    ["ArrowRight", 0, 2, 0, 2],
    ["Home", 0, 2, 0, 0],
    ["End", 0, 0, 0, 2],
    ["ArrowDown", 0, 0, 1, 0],
    ["ArrowDown", 1, 0, 1, 0],
    ["ArrowUp", 1, 0, 0, 2],
    ["ArrowUp", 0, 1, 0, 1],
  ])("%s from %i, %i", (key, row, mark, ...to) => {
    expect(stepFrom(rows, { row, mark }, key)).toEqual({ row: to[0], mark: to[1] });
  });

  test("others mean nothing here", () => {
    expect(stepFrom(rows, { row: 0, mark: 0 }, "a")).toBe(null);
  });
});

describe("how many were tried", () => {
  test.each([
    [0.5, "4 of 7 sets were tried; 3 of them reach π = 0.5."],
    [0.95, "4 of 7 sets were tried; one reaches π = 0.95."],
    [1, "4 of 7 sets were tried; none reaches π = 1."],
  ])("π = %s", (pi, said) => {
    const left = "The other 3 hold a set that suffices at π = 0.9, and were not searched.";
    expect(triedWords({ subsets, pi: 0.9 }, pi)).toBe(`${said} ${left}`);
  });

  test("all of them, one by one, or more than are drawn", () => {
    expect(triedWords(decodeAnswer(rulesTraits("none")), 0.9)).toBe(
      "All 15 sets were tried; none reaches π = 0.9.",
    );
    expect(triedWords({ subsets: { ...subsets, greedy: true }, pi: 0.9 }, 0.9)).toBe(
      "4 sets were tried, grown one feature at a time; 2 of them reach π = 0.9.",
    );
    const [one, two] = subsets.sizes as [SubsetsMessage["sizes"][0], SubsetsMessage["sizes"][0]];
    const more = { ...subsets, sizes: [one, { ...two, n_tried: 2 }] };
    expect(triedWords({ subsets: more, pi: 0.9 }, 0.9)).toContain(
      "5 of 7 sets were tried; at least 2 of them",
    );
  });
});
