import { describe, expect, test } from "vitest";
import { betaQuantile } from "../../src/solve/beta";
import { readGolden } from "../support/golden";

interface Golden {
  readonly sizes: readonly number[];
  readonly probabilities: readonly number[];
  readonly quantiles: readonly (readonly (readonly (number | null)[])[])[];
}

const { sizes, probabilities, quantiles } = readGolden<Golden>("beta.json");

describe.each(sizes.map((a, i) => ({ a, i })))("Beta($a, ·)", ({ a, i }) => {
  test.each(sizes.map((b, j) => ({ b, j })))("Beta(·, $b)", ({ b, j }) => {
    probabilities.forEach((p, k) => {
      const wanted = quantiles[i]?.[j]?.[k] ?? null;
      if (wanted === null) return;
      const off = Math.abs(betaQuantile(a, b, p) - wanted);
      expect(off, `at ${p}, wanted ${wanted}`).toBeLessThanOrEqual(
        1e-14 + 1e-10 * Math.min(wanted, 1 - wanted),
      );
    });
  });
});

test("the mirrored distribution has the mirrored quantiles", () => {
  for (const p of [1e-4, 0.3, 0.5, 0.8]) {
    expect(betaQuantile(2.5, 40, p)).toBeCloseTo(1 - betaQuantile(40, 2.5, 1 - p), 13);
  }
});
