import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { columnsOf, float32, uint8, unpack } from "../../src/wire/buffers";

const bytes = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

describe("what Python packed", () => {
  test("bytes", () => {
    expect(Array.from(uint8("x", bytes("WlTAfwEAAgB42mNk+snI9QcABQ0CBA=="), 6))).toEqual([
      1, 2, 250, 3, 4, 255,
    ]);
  });
  test("bytes that are not as their neighbours", () => {
    const plain = [7, 7, 7, 0, 255];
    const packed = new Uint8Array([
      0x5a,
      0x54,
      0xc0,
      0x7f,
      1,
      0,
      0,
      0,
      ...deflateSync(new Uint8Array(plain)),
    ]);
    expect(Array.from(uint8("x", packed, 5))).toEqual(plain);
    expect(Array.from(uint8("x", packed))).toEqual(plain);
    expect(() => uint8("x", packed, 6)).toThrow(
      '"x" must hold 6 bytes as the message says, received 5 bytes',
    );
  });
  test("numbers of two bytes", () => {
    const [column] = columnsOf("x", bytes("WlTAfwIAAQB42vvPyL71PwMDEwAPuAK+"), ["u2"], 4);
    expect(Array.from(column ?? [])).toEqual([65535, 0, 7, 700]);
  });
  test("floats, with what is no number, as many as there are", () => {
    const packed = bytes("WlTAfwQAAwB42mNgYDjFAAKfgLjhgCdDg71d/SbHAwA57QZ1");
    const read = [0.5, 0.25, Number.NaN, Math.fround(-1e30), Number.POSITIVE_INFINITY, 3];
    expect(Array.from(float32("x", packed, 6))).toEqual(read);
    expect(Array.from(float32("x", packed))).toEqual(read);
    const elsewhere = new Uint8Array([9, ...packed]);
    expect(Array.from(float32("x", new DataView(elsewhere.buffer, 1), 6))).toEqual(read);
  });
});

test("plain bytes stay as they are", () => {
  for (const plain of [new Uint8Array(), new Uint8Array([1, 2, 3]), new Uint8Array(12)]) {
    const view = new DataView(plain.buffer);
    expect(unpack(view)).toBe(view);
  }
});

test("what cannot be unpacked is said by its name", () => {
  const packed = bytes("WlTAfwEAAgB42mNk+snI9QcABQ0CBA==");
  const spoilt = new Uint8Array([...packed.subarray(0, 8), 0, 0, 0, 0, 0, 0]);
  expect(() => uint8("reasons", spoilt, 6)).toThrow('"reasons" cannot be unpacked: ');
  const odd = new Uint8Array([...packed.subarray(0, 4), 3, 0, 1, 0, ...deflateSync(new Uint8Array(6))]);
  expect(() => uint8("reasons", odd, 6)).toThrow("packed numbers have 1, 2 or 4 bytes, received 3");
});
