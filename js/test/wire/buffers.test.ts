import { describe, expect, test } from "vitest";
import { arraysOf, float32 } from "../../src/wire/buffers";
import { layoutOf } from "../support/layout";

const values = [1.5, -2, 0.25];

describe("float32", () => {
  const buffer = new Float32Array(values).buffer;
  test.each([
    ["ArrayBuffer", buffer],
    ["DataView", new DataView(buffer)],
    ["Uint8Array", new Uint8Array(buffer)],
  ])("reads a %s", (_, bytes) => {
    expect(Array.from(float32("x", bytes, 3))).toEqual(values);
  });

  test("copes with an offset that is no multiple of four", () => {
    const bytes = new Uint8Array(13);
    bytes.set(new Uint8Array(buffer), 1);
    expect(Array.from(float32("x", new DataView(bytes.buffer, 1, 12), 3))).toEqual(values);
  });

  test("copies, so that the host may reuse its memory", () => {
    const own = new Float32Array(values);
    const read = float32("x", own.buffer, 3);
    own.fill(0);
    expect(Array.from(read)).toEqual(values);
  });

  test("says what was expected and received", () => {
    expect(() => float32("curves", buffer, 4)).toThrow(
      '"curves" must hold 4 float32 values (16 bytes) as the message says, received 12 bytes',
    );
    expect(() => float32("curves", undefined, 4)).toThrow('"curves" must be bytes, received undefined');
    expect(() => float32("curves", null, 4)).toThrow("received null");
  });
});

describe("arrays by name", () => {
  const [shape, names] = [
    [2, 3, 2, 4],
    ["low", "high"],
  ] as const;
  const at = (f: number, m: number, part: number, tau: number) => 1000 * f + 100 * m + 10 * part + tau;
  const every = <T>(n: number, make: (k: number) => T) => Array.from({ length: n }, (_, k) => make(k));
  const all = Float32Array.from(
    every(2, (f) => every(3, (m) => every(2, (part) => every(4, (tau) => at(f, m, part, tau))))).flat(3),
  );
  const layout = layoutOf(names, "feature metric field tau", shape);
  const read = (buffer = all, sizes = {}) => arraysOf("x", buffer, layout, names, sizes);

  test("stand where the layout says, over the axes that are not given", () => {
    const { low, high } = read(all, { feature: 2, tau: 4 });
    expect([...high({ feature: 1, metric: 2 })]).toEqual(every(4, (tau) => at(1, 2, 1, tau)));
    expect([...low({ metric: 1, tau: 3 })]).toEqual([at(0, 1, 0, 3), at(1, 1, 0, 3)]);
    expect([...low({ feature: 1, metric: 0, tau: 2 })]).toEqual([at(1, 0, 0, 2)]);
    expect([...high()]).toEqual(
      every(2, (f) => every(3, (m) => every(4, (tau) => at(f, m, 1, tau)))).flat(2),
    );
    expect([...low({ feature: 1 })]).toEqual(every(3, (m) => every(4, (tau) => at(1, m, 0, tau))).flat());
  });

  test.each([
    [
      "another length than the message says",
      () => read(all, { metric: 2 }),
      /2 numbers of "low" by metric .*received 3/,
    ],
    [
      "a shorter buffer",
      () => read(all.subarray(1)),
      '"x" must hold 48 numbers at least as the message says, received 47',
    ],
    ["a name that is not there", () => arraysOf("x", all, layout, ["middle"]), 'an array "middle"'],
    ["no layout", () => arraysOf("x", all, undefined, ["low"]), 'an array "low"'],
  ])("%s is refused", (_, wrong, words) => {
    expect(wrong).toThrow(words);
  });

  test("none are read of an empty axis", () => {
    const none = arraysOf("x", new Float32Array(0), layoutOf(["low"], "group tau", [0, 4]), ["low"]);
    expect(none.low()).toHaveLength(0);
  });
});
