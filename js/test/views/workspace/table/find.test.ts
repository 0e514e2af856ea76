import { describe, expect, test } from "vitest";
import { errorsOf, findRows, groupOf } from "../../../../src/views/workspace/table/find";
import { stateFromTraits } from "../../../../src/views/workspace/table/state";
import type { RowTableViewTraits } from "../../../../src/wire/messages";
import { decodeListed, decodeTable, decodeWeighed } from "../../../../src/wire/workspace/table";
import { CASES, stressedTable, tableAnswers, tableTraits } from "../../../support/table_example";

describe.each(CASES)("%s rows are found as the kernel finds them", (which) => {
  const traits = { ...tableTraits(which), ...stressedTable(which) } as unknown as RowTableViewTraits;
  const data = decodeTable(traits);
  const after = decodeWeighed(data.message, traits)?.weights ?? null;
  const chosen = new Set(traits.selection);
  const errors = errorsOf(data);

  for (const { listed, window, rows } of tableAnswers(which)) {
    const state = stateFromTraits({ ...traits, ...listed } as unknown as RowTableViewTraits);
    const { search, filter, sort, descending } = state;
    test(`"${search}" among ${filter} by "${sort}"${descending ? ", the largest first" : ""}`, () => {
      expect([...findRows(data, state, chosen, after)]).toEqual(rows);
      const found = groupOf(data, rows, after, errors);
      const kernel = decodeListed(data.message, {
        listed,
        window: new DataView(window.buffer, window.byteOffset, window.byteLength),
      });
      expect([...(kernel?.places ?? [])]).toEqual(rows);
      for (const name of ["n", "share", "share_after", "errors", "errors_after"] as const) {
        const wanted = kernel?.found[name] ?? null;
        if (wanted === null) expect(found[name]).toBeNull();
        else expect(found[name]).toBeCloseTo(wanted, 5);
      }
    });
  }
});

describe("a message that cannot be read", () => {
  const traits = tableTraits("plain") as unknown as RowTableViewTraits;
  test("says how many bytes there must be", () => {
    expect(() => decodeTable({ ...traits, entries: new Uint8Array(3) })).toThrow(/must hold \d+ bytes/);
  });
  test("has columns of one name each", () => {
    const message = traits.message as { columns: object[] };
    const twice = { ...message, columns: message.columns.map((column) => ({ ...column, name: "a" })) };
    expect(() => decodeTable({ ...traits, message: twice })).toThrow(/names of their own/);
  });
});

test("numbers of any size and sign are in order, equal and missing ones as they stood", () => {
  const given = tableTraits("plain") as unknown as RowTableViewTraits;
  const { message } = decodeTable(given);
  const values = [3, -2.5, Number.NaN, 0, -0, 1e-40, -1e30, 3, Infinity, Number.NaN, -Infinity];
  const about = { name: "a", label: "a", role: "feature", kind: "number", levels: [] } as const;
  const find = (type: "f4" | "f8", descending: boolean) =>
    findRows(
      {
        message: { ...message, n_rows: values.length, columns: [{ ...about, type }] },
        columns: [type === "f4" ? Float32Array.from(values) : Float64Array.from(values)],
        before: null,
      },
      { search: "", filter: "all", sort: "a", descending },
      new Set(),
      null,
    );
  for (const type of ["f4", "f8"] as const) {
    expect([...find(type, false)]).toEqual([10, 6, 1, 3, 4, 5, 0, 7, 8, 2, 9]);
    expect([...find(type, true)]).toEqual([8, 0, 7, 5, 3, 4, 1, 6, 10, 2, 9]);
  }
});
