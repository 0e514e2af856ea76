import { expect, test } from "vitest";
import { counted, quotedName, rowsOf } from "../../../src/views/shared/words";

test.each(["good, paid", "bad or late", "one and two", "a; b"])("%s is one name among others", (name) => {
  expect(quotedName(name)).toBe(`“${name}”`);
});

test("other names are as they are", () => {
  for (const name of ["order", "a,b", "land", "age"]) expect(quotedName(name)).toBe(name);
});

test("one of anything is no plural", () => {
  expect([0, 1, 2, 1234].map(rowsOf)).toEqual(["0 rows", "1 row", "2 rows", "1,234 rows"]);
  expect([1, 2].map((n) => counted(n, "smaller change"))).toEqual(["1 smaller change", "2 smaller changes"]);
});
