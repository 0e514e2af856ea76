import { expect, test } from "vitest";
import { lineLabels } from "../../../src/views/shared/line_labels";
import { example } from "../../support/example";

function labels(...levels: [column: string, level: string][]): string[] {
  const features = levels.map(([column, level]) => {
    return { name: `${column} = ${level}`, column, level, kind: "share" as const, edges: [] };
  });
  return lineLabels(example({ features }).message.features);
}

test("a level stands for itself where it says which", () => {
  expect(labels(["education", "Prof-school"], ["education", "Masters"])).toEqual(["Prof-school", "Masters"]);
});

test("with its column where it says nothing alone, or another column has it too", () => {
  expect(labels(["smoker", "yes"], ["smoker", "no"])).toEqual(["smoker = yes", "smoker = no"]);
  expect(labels(["a", "Never"], ["a", "Once"], ["b", "Never"], ["b", "Twice"])).toEqual([
    "a = Never",
    "Once",
    "b = Never",
    "Twice",
  ]);
  expect(labels(["sex", "Female"])).toEqual(["sex = Female"]);
});
