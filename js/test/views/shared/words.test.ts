import { expect, test } from "vitest";
import { quotedName } from "../../../src/views/shared/words";

test.each(["good, paid", "bad or late", "one and two", "a; b"])("%s is one name among others", (name) => {
  expect(quotedName(name)).toBe(`“${name}”`);
});

test("other names are as they are", () => {
  for (const name of ["order", "a,b", "land", "age"]) expect(quotedName(name)).toBe(name);
});
