import { expect, test } from "vitest";
import { curveScene } from "../../../src/marks/curve_scene";
import { lineLabels, namedWords } from "../../../src/views/shared/line_labels";
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

test("lines that find no room for their name, and groups without a line, are told of", () => {
  const taus = [-1, 0, 1];
  const sceneOf = (n: number, apart: number, drawn?: number[]) => {
    const series = Array.from({ length: n }, (_, k) => {
      const y = taus.map((tau) => 0.5 + (apart * k * (1 + tau)) / 2);
      return { name: `group ${k}`, x: taus, y, levels: [0, 0, 0] };
    });
    const options = { width: 640, taus, zero: 1, kind: "share", yTitle: "" } as const;
    return curveScene(series, drawn ? { ...options, drawn } : options);
  };
  expect(namedWords(sceneOf(3, 0.1), 0, 3)).toBe("");
  const close = sceneOf(12, 0);
  const named = close.front(4).labels.length;
  expect(named).toBeLessThan(12);
  expect(namedWords(close, 4, 12)).toBe(`Named: ${named} of 12; point at a line for its name.`);
  for (const feature of close.drawn) {
    expect(close.front(feature).labels.map((label) => label.feature)).toContain(feature);
  }
  expect(namedWords(sceneOf(12, 0.04, [0, 5, 11]), 0, 12)).toBe("Lines: 3 of 12 groups.");
});
