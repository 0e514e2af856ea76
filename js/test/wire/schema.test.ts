import { describe, expect, test } from "vitest";
import {
  ascending,
  each,
  flag,
  list,
  notEmpty,
  nullAs,
  nullable,
  number,
  numberOrText,
  numbers,
  numbersOrNull,
  object,
  oneOf,
  optional,
  recordOf,
  type Schema,
  text,
  texts,
  tuple,
  unlessEmpty,
  version,
  WireError,
} from "../../src/wire/schema";

const side = object(() => ({ name: text, targets: ascending }));
const message = object(() => ({ version: version(1), sides: list(side), kind: oneOf("share", "value") }));

test("what keeps to the schema comes back, without fields it does not name", () => {
  const given = {
    version: 1,
    sides: [{ name: "age", targets: [1, 2], more: 0 }],
    kind: "share",
    extra: true,
  };
  expect(message(given, "message")).toEqual({
    version: 1,
    sides: [{ name: "age", targets: [1, 2] }],
    kind: "share",
  });
});

const refusals: readonly (readonly [Schema<unknown>, unknown, string])[] = [
  [text, 3, '"it" must be text, received 3'],
  [number, Number.NaN, '"it" must be a finite number, received null'],
  [number, undefined, '"it" must be a finite number, received nothing'],
  [flag, "yes", '"it" must be true or false, received "yes"'],
  [oneOf("a", "b"), "c", '"it" must be "a" or "b", received "c"'],
  [numbers, [1, "2"], '"it" must be a finite number, received "2"'],
  [texts, "words", '"it" must be a list, received "words"'],
  [numbersOrNull, [null, "2"], '"it" must be a finite number, received "2"'],
  [ascending, [1, 1], '"it" must be in ascending order, received [1,1]'],
  [list(number), [1, null], '"it[1]" must be a finite number, received null'],
  [
    object(() => ({ deep: object(() => ({ a: number })) })),
    { deep: {} },
    '"it.deep.a" must be a finite number, received nothing',
  ],
  [object(() => ({})), [], '"it" must be an object, received []'],
  [notEmpty(numbers, "name at least one number"), [], '"it" must name at least one number, received none'],
  [tuple(number, text), [1], '"it" must be a list of 2, received [1]'],
  [tuple(number, text), [1, 2], '"it[1]" must be text, received 2'],
  [recordOf(number), { age: "old" }, '"it.age" must be a finite number, received "old"'],
  [recordOf(numberOrText), { age: null }, '"it.age" must be a number or a text, received null'],
  [text, { long: "x".repeat(80) }, `"it" must be text, received {"long":"${"x".repeat(48)}…`],
];

test.each(refusals)("%#: a value that does not is refused in words", (schema, value, words) => {
  const read = () => schema(value, "it");
  expect(read).toThrow(WireError);
  expect(read).toThrow(words);
});

test("the fields of a message go without its name", () => {
  const sides = [{ name: "age", targets: [2, 1] }];
  expect(() => message({ version: 1, sides, kind: "share" }, "message")).toThrow(
    '"sides[0].targets" must be in ascending order',
  );
});

test("a version of another installation is refused before anything else", () => {
  expect(() => message({ version: 2 }, "message")).toThrow(
    /reads version 1 of the message, received version 2/,
  );
});

describe("what may be missing", () => {
  test("null", () => {
    expect(nullable(number)(null, "it")).toBeNull();
    expect(nullAs(Infinity, number)(null, "it")).toBe(Infinity);
    expect(() => nullable(number)(undefined, "it")).toThrow(WireError);
  });
  test("a field", () => {
    expect(object(() => ({ done: optional(number, 0) }))({}, "it")).toEqual({ done: 0 });
    expect(() => optional(number, 0)(null, "it")).toThrow(WireError);
  });
  test("a message", () => {
    expect(unlessEmpty(side)({}, "it")).toBeNull();
    expect(unlessEmpty(side)(undefined, "it")).toBeNull();
    expect(() => unlessEmpty(side)({ name: "age" }, "it")).toThrow('"it.targets" must be a list');
  });
});

test("lists of the same thing are equally long, others as they like", () => {
  const path = object(() => ({
    at: each("step", numbers),
    label: each("step", texts),
    ends: each("end", numbers),
    notes: texts,
  }));
  const given = { at: [0, 1], label: ["a", "b"], ends: [3], notes: [] };
  expect(path(given, "it")).toEqual(given);
  expect(() => path({ ...given, label: ["a"] }, "it")).toThrow(
    '"it.label" must have an entry for each step, of which "it.at" has 2, received 1',
  );
});
