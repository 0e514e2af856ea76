import { describe, expect, test } from "vitest";
import { float32, planes } from "../../src/wire/buffers";

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

test("planes turns records into one row per field", () => {
  const records = new Float32Array([1, 10, 2, 20, 3, 30, 4, 40]);
  expect(Array.from(planes(records, 2, 2))).toEqual([1, 2, 10, 20, 3, 4, 30, 40]);
});
