import { describe, expect, test } from "vitest";
import { LEVELS, levelOf, type Reasons } from "../../../src/wire/reasons";
import { decodeGroups, type ManyGroups, type Shift } from "../../../src/wire/stress/curves";
import { bytes, readGolden } from "../../support/golden";

type Row = Readonly<Record<string, number | string | null>> & {
  readonly shift: Shift;
  readonly feature: string;
  readonly metric: string;
  readonly tau: number;
};
const golden = readGolden<{
  message: { taus: readonly number[]; reliability: Reasons };
  groups: {
    message: { labels: readonly string[] };
    numbers: string;
    cells: readonly Row[];
    gaps: readonly Row[];
  };
}>("stress_curves.json");
const { taus, reliability } = golden.message;
const { message, cells, gaps } = golden.groups;
const read = (value: unknown = message, numbers = bytes(golden.groups.numbers)) =>
  decodeGroups(value, numbers, taus.length, reliability);
const many = read() as ManyGroups;

/** Python's number as a float32, the nearest there is, or the next one where another machine rounds otherwise. */
function sameFloat(found: number, wanted: unknown): void {
  if (wanted === null) expect(Number.isFinite(found)).toBe(false);
  else
    expect(Math.abs(found - (wanted as number))).toBeLessThanOrEqual(
      2 ** -22 * Math.abs(wanted as number) + 1e-12,
    );
}

describe("numbers by group", () => {
  test("every cell that Python names is found where it says", () => {
    expect(new Set(cells.map(({ shift }) => shift))).toEqual(new Set(["marginal", "within"]));
    for (const one of cells) {
      const groups = many.of(one.feature, one.shift);
      const group = many.labels.indexOf(String(one.group));
      const t = taus.indexOf(one.tau);
      const curve = groups?.curve(group, one.metric);
      const population = groups?.population(group);
      for (const name of ["value", "lower", "upper"] as const)
        sameFloat(curve?.[name][t] as number, one[name]);
      for (const name of ["target", "share", "ess"] as const)
        sameFloat(population?.[name][t] as number, one[name]);
      expect(LEVELS[levelOf(reliability, curve?.judged(t).reason as number)]).toBe(one.reliability);
    }
  });

  test("so are gaps, ratios and the worst group", () => {
    expect(gaps.length).toBeGreaterThan(0);
    for (const one of gaps) {
      const found = many.of(one.feature, one.shift)?.gap(one.metric, taus.indexOf(one.tau));
      expect(many.labels[found?.largest as number]).toBe(one.largest);
      expect(many.labels[found?.smallest as number]).toBe(one.smallest);
      expect(many.labels[found?.worst as number] ?? "").toBe(one.worst);
      [one.gap, one.gap_lower, one.gap_upper].forEach((wanted, k) => {
        sameFloat(found?.gap[k] as number, wanted);
      });
      [one.ratio, one.ratio_lower, one.ratio_upper].forEach((wanted, k) => {
        sameFloat(found?.ratio[k] as number, wanted);
      });
    }
  });

  test("the two kinds of shift are not the same numbers", () => {
    const of = (shift: Shift) => many.of("slope", shift)?.population(0).share as Float32Array;
    expect(new Set(of("within")).size).toBe(1);
    expect(new Set(of("marginal")).size).toBeGreaterThan(1);
  });
});

describe("what did not come", () => {
  test("is null: another feature or metric, or nothing asked for", () => {
    expect(many.of("nothing", "marginal")).toBeNull();
    expect(many.of("slope", "marginal")?.curve(0, "nothing")).toBeNull();
    expect(many.of("slope", "marginal")?.gap("nothing", 0)).toBeNull();
    expect(read({})).toBeNull();
    expect(decodeGroups(undefined, undefined, taus.length, reliability)).toBeNull();
  });

  test("is said: an error has no numbers", () => {
    expect(
      read({ by: "sex", error: "Curves are drawn of 2 to 12 groups." }, new Uint8Array())?.error,
    ).toMatch(/^Curves/);
  });

  test("is refused where the numbers are not as many as the message says", () => {
    expect(() => read(message, new Uint8Array(8))).toThrow(/"group_numbers" must hold \d+ numbers/);
  });
});
