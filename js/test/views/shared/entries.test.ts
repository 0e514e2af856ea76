import { expect, test } from "vitest";
import { entryWords } from "../../../src/views/shared/entries";

test("a day is a date, and a time of day is kept beside it", () => {
  const date = { kind: "date", levels: [] } as const;
  expect(entryWords(date, 18_779)).toBe("2021-06-01");
  expect(entryWords(date, 18_779.75)).toBe("2021-06-01 18:00");
  expect(entryWords(date, Number.NaN)).toBe("missing");
});
