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

test.each([
  [(message: Message) => ({ ...message, version: 2 }), "version 1 of the columns"],
  [(message: Message) => ({ ...message, n_rows: 3 }), '"columns" must hold 12 float32'],
  [(message: Message) => ({ ...message, shipped: false }), '"columns" must hold 0 float32'],
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
