import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../src/solve/stress/metrics";
import { solveStress } from "../../../../src/solve/stress/solver";
import { groupColumns, groupNumbers } from "../../../../src/views/stress/joint/groups";
import { decodeColumns } from "../../../../src/wire/columns";
import type { ColumnMessage } from "../../../../src/wire/messages";
import { readStress, UNSTRESSED } from "../../../../src/wire/shared_stress";
import { decodeJointStress } from "../../../../src/wire/stress/joint";
import { jointExample } from "../../../support/joint_example";

interface Made {
  readonly column: string;
  readonly level?: string;
  readonly values: readonly number[];
}

const floats = (values: readonly number[]) => new DataView(new Float32Array(values).buffer);

/** Columns of values as the kernel ships them; every share's level is named. */
function columnsOf(made: readonly Made[], weights: readonly number[] = [], shipped = true) {
  const n = made[0]?.values.length ?? 0;
  const shapes = made.map(({ values }) => {
    const seen = values.filter((value) => !Number.isNaN(value));
    const mean = seen.reduce((a, b) => a + b, 0) / seen.length;
    const sd = Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / seen.length);
    return {
      mean,
      sd,
      low: Math.min(...seen),
      high: Math.max(...seen),
      z: values.map((v) => (v - mean) / sd),
    };
  });
  const features = made.map(({ column, level, values }, k): ColumnMessage => {
    const { mean, sd, low, high } = shapes[k] as (typeof shapes)[number];
    return {
      ...{ column, mean, sd, low, high, unit: "", missing: null, n_values: 0, held: true },
      ...{ note_low: "", note_high: "" },
      name: level === undefined ? column : `${column} = ${level}`,
      level: level ?? null,
      kind: level === undefined ? "numeric" : "share",
      integer: values.every((value) => Number.isNaN(value) || Number.isInteger(value)),
      n_missing: values.filter(Number.isNaN).length,
    };
  });
  return decodeColumns({
    columns_message: { version: 1, n_rows: n, features, weighted: weights.length > 0, shipped },
    columns: floats(shipped ? shapes.flatMap(({ z }) => z) : []),
    row_weights: floats(weights),
  });
}

/** A share for each level of a text's letters, one a row. */
const letters = (column: string, rows: string, levels = [...new Set(rows)]): Made[] =>
  levels.map((level) => ({ column, level, values: [...rows].map((row) => Number(row === level)) }));

/** The rows of each group of the first column, by their letters. */
const told = (columns: ReturnType<typeof columnsOf>) =>
  groupColumns(columns)[0]
    ?.groups()
    .map(({ label, within, nRows }) => [label, nRows, within.join("")]);

describe("which rows are together", () => {
  test("every level of a column, the largest first", () => {
    expect(told(columnsOf(letters("sex", "fmmfm")))).toEqual([
      ["m", 3, "01101"],
      ["f", 2, "10010"],
    ]);
  });

  test("the rows without the one level shown, and without any of those shown", () => {
    expect(told(columnsOf(letters("sex", "fmmfm", ["f"])))).toEqual([
      ["f", 2, "10010"],
      ["not f", 3, "01101"],
    ]);
    expect(told(columnsOf(letters("job", "aabcd", ["a", "b"])))).toEqual([
      ["a", 2, "11000"],
      ["b", 1, "00100"],
      ["other levels", 2, "00011"],
    ]);
  });

  test("past eight levels the rest are one group, but nine are themselves", () => {
    const nine = told(columnsOf(letters("job", "aaabcdefghi")));
    expect(nine?.map(([label]) => label)).toEqual([..."abcdefghi"]);
    const ten = told(columnsOf(letters("job", "aaabcdefghij")));
    expect(ten?.map(([label]) => label)).toEqual([..."abcdefgh", "other levels"]);
    expect(ten?.at(-1)).toEqual(["other levels", 2, "000000000011"]);
    const few = told(columnsOf(letters("job", "aaabcdefghijj", [..."abcdefghi"])));
    expect(few?.at(-1)).toEqual(["other levels", 3, "0000000000111"]);
  });

  test("numbers that are 0 or 1, and those without a value", () => {
    const flag = { column: "flag", values: [1, 1, 1, 0, Number.NaN] };
    expect(told(columnsOf([flag]))).toEqual([
      ["1", 3, "11100"],
      ["0", 1, "00010"],
      ["missing", 1, "00001"],
    ]);
  });

  test("a row that weighs nothing is not left over", () => {
    expect(
      told(columnsOf(letters("sex", "fmmx", ["f", "m"]), [1, 1, 2, 0]))?.map(([label]) => label),
    ).toEqual(["m", "f"]);
  });

  test("other numbers, rows without a number, and rows that are not here tell nothing apart", () => {
    const names = (made: readonly Made[], shipped = true) =>
      groupColumns(columnsOf(made, [], shipped)).map(({ name }) => name);
    const missing = { column: "age", level: "missing", values: [0, 0, 1] };
    const age = { column: "age", values: [30, 40, Number.NaN] };
    const odd = [
      { column: "count", values: [0, 1, 7] },
      { column: "part", values: [0, 0.5, 1] },
    ] as const;
    expect(names([age, missing, ...odd, ...letters("sex", "fmf")])).toEqual(["sex"]);
    expect(names([missing])).toEqual(["age"]);
    expect(names(letters("sex", "fmf"), false)).toEqual([]);
  });
});

describe("what a stress makes of a group", () => {
  const { message, columns, outcomes } = decodeJointStress(jointExample({ levels: true }) as never);
  const sample = { columns, outcomes, ends: message.ends, confidence: message.confidence } as Sample;
  const job = groupColumns(columns).find(({ name }) => name === "job");
  const stress = readStress({ taus: { age: 0.4 }, hold: "none" });

  test("as tested every row counts the same", () => {
    const solved = solveStress(columns, UNSTRESSED);
    const shares = job?.groups().map(({ label, within }) => {
      const { share, ess } = groupNumbers(sample, solved, within);
      return [label, share, Math.round(ess)];
    });
    expect(shares).toEqual([
      ["Clerk", 0.5, 200],
      ["Cook", 0.3, 120],
      ["Nurse", 0.2, 80],
    ]);
  });

  test("its share, effective rows and metrics are sums over its rows", () => {
    const solved = solveStress(columns, stress);
    const weights = [...solved.weights];
    let together = 0;
    for (const { within } of job?.groups() ?? []) {
      const own = weights.filter((_, row) => within[row] === 1);
      const sum = own.reduce((a, b) => a + b, 0);
      const predicted = weights.reduce((a, w, row) => {
        const odd = ((sample.outcomes.cell[row] as number) & 1) === 1;
        return a + (within[row] === 1 && odd ? w : 0);
      }, 0);
      const { share, ess, estimate } = groupNumbers(sample, solved, within);
      expect(share).toBeCloseTo(sum / 400, 10);
      expect(ess).toBeCloseTo(sum ** 2 / own.reduce((a, w) => a + w * w, 0), 8);
      expect(estimate(0).value).toBeCloseTo(predicted / sum, 10);
      together += share * estimate(0).value;
    }
    expect(together).toBeCloseTo(
      weights.reduce((a, w, i) => a + w * ((sample.outcomes.cell[i] as number) & 1), 0) / 400,
    );
  });

  test("where there are no weights there are no numbers", () => {
    const nowhere = solveStress(
      columns,
      readStress({ taus: { "sex = Female": 1, age: 1, hours: -1 }, hold: "means" }),
    );
    expect(nowhere.status).toBe("infeasible");
    const { share, ess, estimate } = groupNumbers(sample, nowhere, new Uint8Array(400).fill(1));
    expect([share, ess, estimate(0).value]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});
