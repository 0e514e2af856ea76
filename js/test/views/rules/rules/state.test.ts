import { expect, test } from "vitest";
import { grownSide, ownCell, withEdge } from "../../../../src/views/rules/rules/state";
import type { RuleAxisMessage } from "../../../../src/wire/messages";
import { decodeAnswer } from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";

const axesOf = (name: "levels" | "rounded" | "value") =>
  decodeAnswer(rulesTraits(name)).rules.flatMap(({ axes }) => axes);

test.each(["levels", "rounded", "value"] as const)("%s: the row's own value lies in its rules", (name) => {
  const axes = axesOf(name);
  expect(axes.length).toBeGreaterThan(0);
  for (const axis of axes) expect(axis.inside[ownCell(axis)]).toBe(true);
});

test("a value at a cut lies below it, also where float32 does not tell cuts apart", () => {
  const axis = axesOf("rounded").find(({ name }) => name === "large") as RuleAxisMessage;
  const { cuts } = axis;
  expect(new Set(cuts.map(Math.fround)).size).toBeLessThan(cuts.length);
  expect(cuts.map((value) => ownCell({ ...axis, value }))).toEqual(cuts.map((_, cell) => cell));
});

test("an edge moved leaves the other where it is", () => {
  const [axis] = axesOf("rounded") as [RuleAxisMessage];
  const own = ownCell(axis);
  const { inside } = withEdge(withEdge(grownSide(axis), "lower", own), "upper", own);
  expect(inside.flatMap((is, cell) => (is ? [cell] : []))).toEqual([own]);
});
