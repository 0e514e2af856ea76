import { describe, expect, test } from "vitest";
import { followedShare } from "../../../../src/views/stress/curves/feature_list";
import { decodeStressCurves } from "../../../../src/wire/stress/curves";
import { example } from "../../../support/example";

const share = (column: string, level: string, mean: number) => ({
  name: `${column} = ${level}`,
  column,
  level,
  kind: "share" as const,
  mean,
  edges: [],
});
const FEATURES = [share("sex", "Female", 0.4), share("sex", "Male", 0.6), { name: "age" }];

function decoded(features: Parameters<typeof example>[0] = {}, hold = "none") {
  const { message, buffers } = example({ steps: 5, ...features });
  return decodeStressCurves({ message: { ...message, hold }, ...buffers });
}

describe("where features go that are not moved", () => {
  test("of two levels, one is what the other leaves, whatever is held", () => {
    for (const hold of ["none", "means"]) {
      const data = decoded({ features: FEATURES }, hold);
      expect(followedShare(data, 0, 4, 1)).toBeCloseTo(1 - 0.4 * 1.2, 6);
    }
  });

  test("of many levels, the others keep their ratios, as weights of their rows tell", () => {
    const levels = [share("race", "a", 0.5), share("race", "b", 0.2), share("race", "c", 0.3)];
    const rows = ["a", "a", "a", "a", "a", "b", "b", "c", "c", "c"];
    const data = decoded({ features: levels });
    const now = 0.5 * 1.2;
    const weights = rows.map((level) => (level === "a" ? now / 5 : (1 - now) / 5));
    const counted = (level: string) =>
      rows.reduce((sum, one, i) => sum + (one === level ? (weights[i] as number) : 0), 0);
    expect(followedShare(data, 0, 4, 1)).toBeCloseTo(counted("b"), 6);
    expect(followedShare(data, 0, 4, 2)).toBeCloseTo(counted("c"), 6);
    expect(followedShare(decoded({ features: levels }, "means"), 0, 4, 1)).toBeNaN();
  });

  test("of other columns the curves do not tell", () => {
    const data = decoded({ features: FEATURES });
    expect(followedShare(data, 0, 4, 2)).toBeNaN();
    expect(followedShare(data, 2, 4, 0)).toBeNaN();
  });
});
