import { expect, test } from "vitest";
import { decodeColumns } from "../../src/wire/columns";
import { jointExample, N_ROWS } from "../support/joint_example";

type Message = ReturnType<typeof jointExample>["columns_message"];

function decode(change: (message: Message) => unknown = (message) => message) {
  const { columns_message, columns, row_weights } = jointExample();
  return decodeColumns({ columns_message: change(columns_message), columns, row_weights });
}

test("columns stand where the message says", () => {
  const { column, centre, base, place } = decode();
  expect(column(1)).toHaveLength(N_ROWS);
  expect(column(3).filter(Number.isNaN)).toHaveLength(8);
  expect(Math.max(...Array.from(centre, Math.abs))).toBeLessThan(1e-6);
  expect(base).toBeNull();
  expect(place.get("sex = Female")).toBe(2);
});

/** Nine rows of three columns: two values as bits, three of which one is NaN as bytes, and each row's own. */
function byValues(): { columns: Uint8Array; rows: number[][] } {
  const rows = [
    [0, 1, 1, 0, 0, 0, 0, 0, 1].map((code) => [-0.5, 2][code] as number),
    [2, 0, 1, 2, 0, 1, 2, 0, 1].map((code) => [-1, 1.5, Number.NaN][code] as number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  ];
  const floats = (values: number[]) => [...new Uint8Array(Float32Array.from(values).buffer)];
  const columns = [
    ...[...floats([-0.5, 2]), 0b00000110, 0b1],
    ...[...floats([-1, 1.5, Number.NaN]), 2, 0, 1, 2, 0, 1, 2, 0, 1],
    ...floats(rows[2] as number[]),
  ];
  return { columns: Uint8Array.from(columns), rows };
}

test("columns of few values come as places among them", () => {
  const { columns, rows } = byValues();
  const { columns_message, row_weights } = jointExample();
  const features = columns_message.features.slice(0, 3).map((one, k) => ({ ...one, n_values: [2, 3, 0][k] }));
  const message = { ...columns_message, n_rows: 9, features };
  const decoded = decodeColumns({ columns_message: message, columns, row_weights });
  expect(rows.map((_, k) => [...decoded.column(k)])).toEqual(rows);
  columns[10 + 12] = 3;
  const broken = () => decodeColumns({ columns_message: message, columns, row_weights });
  expect(broken).toThrow("places among 3 values, received 3");
});

test.each([
  [(message: Message) => ({ ...message, version: 2 }), "version 1 of the columns"],
  [(message: Message) => ({ ...message, n_rows: 3 }), '"columns" must hold 48 bytes'],
  [(message: Message) => ({ ...message, shipped: false }), '"columns" must hold 0 bytes'],
  [(message: Message) => ({ ...message, weighted: true }), '"row_weights" must hold 400'],
  [
    (message: Message) => ({ ...message, features: [{ ...message.features[0], sd: 0 }] }),
    "sd > 0 and low < mean < high",
  ],
  [
    (message: Message) => ({ ...message, features: [{ ...message.features[0], held: "yes" }] }),
    "must be true or false",
  ],
])("refuses what does not fit", (change, words) => {
  expect(() => decode(change)).toThrow(words);
});
