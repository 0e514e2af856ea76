import { describe, expect, test } from "vitest";
import {
  readScenarios,
  type Scenario,
  writeScenarios,
} from "../../../../src/views/workspace/workspace/scenario_file";
import { merged } from "../../../../src/views/workspace/workspace/scenario_menu";

const FILE = {
  schema: "tauscope.scenarios",
  version: 1,
  data: { hash: "ab".repeat(32), n_rows: 1400, columns: ["age", "sex"] },
  seed: null,
  packages: { tauscope: "0.1" },
  quantile: 0.05,
};
const NAMES = ["age", "sex = F"];
const OLDER: Scenario = { name: "older", taus: { age: 0.5 }, hold: "means" };
const write = (scenarios: readonly Scenario[] = [OLDER]) => writeScenarios(FILE, [], scenarios, "2026-01-02");
const read = (text: string) => readScenarios(text, "mine.json", FILE, NAMES);
const changed = (change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(write()), ...change });

test("what is written is read again", () => {
  expect(read(write())).toEqual([OLDER]);
  expect(JSON.parse(write())).toMatchObject({
    saved: "2026-01-02",
    seed: null,
    quantile: 0.05,
    data: FILE.data,
  });
});

describe("a file that does not match is refused in words", () => {
  const cases: Readonly<Record<string, readonly [string, RegExp]>> = {
    "no JSON": ["{", /is JSON; mine.json cannot be read/],
    "another schema": [changed({ schema: "else" }), /schema “tauscope.scenarios”; mine.json has "else"/],
    "no object": ["[1]", /has none/],
    "a later version": [changed({ version: 2 }), /reads version 1 .* has 2/],
    "no list": [changed({ scenarios: {} }), /a list of them/],
    "an empty list": [changed({ scenarios: [] }), /a list of them/],
    "other data": [
      changed({ data: { hash: "cd".repeat(32), n_rows: 7 } }),
      /other data \(hash cdcdcdcdcdcdcdcd, 7 rows; this study's is ab/,
    ],
    "no data": [changed({ data: null }), /hash none;/],
    "a strange feature": [
      changed({ scenarios: [{ ...OLDER, taus: { income: 0.5 } }] }),
      /moves “income”, which this study has not/,
    ],
    "a τ too far": [
      changed({ scenarios: [{ ...OLDER, taus: { age: 2 } }] }),
      /Scenario 1 in mine.json .*τ in \[-1, 1\]/,
    ],
    "another hold": [changed({ scenarios: [{ ...OLDER, hold: "all" }] }), /Scenario 1 .*stress.hold/],
    "no move": [changed({ scenarios: [{ ...OLDER, taus: {} }] }), /moves no feature/],
    "no name": [changed({ scenarios: [{ taus: { age: 1 }, hold: "none" }] }), /its name is none/],
    "one name twice": [changed({ scenarios: [OLDER, OLDER] }), /Scenario 2 .*kept already/],
    "a name of two lines": [changed({ scenarios: [{ ...OLDER, name: "a\nb" }] }), /one line/],
  };
  test.each(Object.keys(cases))("%s", (name) => {
    const [text, words] = cases[name] as readonly [string, RegExp];
    expect(() => read(text)).toThrow(words);
  });
});

test("one of a name that is taken gets a number, the same one again is left out", () => {
  const other = { ...OLDER, taus: { age: 0.1 } };
  const third = { ...OLDER, taus: { age: 0.2 } };
  expect(merged([OLDER], [OLDER])).toEqual([OLDER]);
  expect(merged([OLDER], [other, third]).map(({ name }) => name)).toEqual([
    "older",
    "older (2)",
    "older (3)",
  ]);
});
