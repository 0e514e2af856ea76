import { constants, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inflate } from "../../src/solve/inflate";

/** Bytes that repeat near and far, and some that do not repeat. */
function bytesOf(n: number, alphabet: number): Uint8Array {
  let state = 7;
  const next = () => {
    state = (1_103_515_245 * state + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const out = new Uint8Array(n);
  for (let k = 0; k < n; ) {
    const [size, back] = [1 + Math.floor(300 * next()), 1 + Math.floor(Math.min(k, 32_000) * next())];
    const again = k > 0 && next() < 0.5;
    for (let end = Math.min(n, k + size); k < end; k++) {
      out[k] = again ? (out[k - back] as number) : Math.floor(alphabet * next() ** 3);
    }
  }
  return out;
}

describe("bytes are what they were", () => {
  test.each([0, 1, 2, 100, 5000, 200_000])("%i of them, at every level and strategy", (n) => {
    for (const alphabet of [1, 3, 256]) {
      const data = bytesOf(n, alphabet);
      for (const level of [0, 1, 6, 9]) {
        for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY, constants.Z_FIXED]) {
          const found = inflate(deflateSync(data, { level, strategy }));
          expect(Buffer.compare(found, data), `${alphabet} ${level} ${strategy}`).toBe(0);
        }
      }
    }
  });

  test("a buffer within another", () => {
    const packed = deflateSync(bytesOf(500, 9));
    const within = new Uint8Array([1, 2, 3, ...packed]).subarray(3);
    expect(Buffer.compare(inflate(within), bytesOf(500, 9))).toBe(0);
  });
});

describe("what is no whole zlib data is refused", () => {
  const whole = deflateSync(bytesOf(5000, 50));
  test("no head, no bytes, another method", () => {
    for (const data of [[], [0, 0, 0, 0], [0x79, 0x9c, 1, 2], [0x78, 0x9d, 1, 2]]) {
      expect(() => inflate(new Uint8Array(data))).toThrow("no whole zlib data");
    }
  });

  test("cut anywhere before its last block ends", () => {
    for (const keep of [0.1, 0.5, 0.9]) {
      const part = whole.subarray(0, Math.floor(keep * whole.length));
      expect(() => inflate(part)).toThrow("no whole zlib data");
    }
  });

  test("spoilt anywhere it ends, with bytes or in words", () => {
    for (let k = 2; k < whole.length; k += 7) {
      const spoilt = new Uint8Array(whole);
      spoilt[k] = (spoilt[k] as number) ^ 0xff;
      try {
        inflate(spoilt);
      } catch (error) {
        expect((error as Error).message).toContain("no whole zlib data");
      }
    }
  });

  test("a distance to before the first byte", () => {
    expect(() => inflate(new Uint8Array([0x78, 0x9c, 0x63, 0x00, 0x52, 0x00, 0x00]))).toThrow();
  });
});
