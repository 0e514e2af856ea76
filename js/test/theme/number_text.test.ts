import { format } from "d3-format";
import { describe, expect, test } from "vitest";
import { fixed, scientific } from "../../src/theme/number_text";

/** What a number is with a sign, which nothing has that is written as 0. */
const unsigned = (text: string) => (Number.parseFloat(text.replace("−", "-")) === 0 ? text.slice(1) : text);

/** Numbers of every size and sign, also those that round to 0 or up to the next digit. */
const NUMBERS = [
  ...[0, -0, 0.5, 0.05, 0.005, 0.0004, 0.9995, 0.99949, 1.005, 9.995, 999.5, 999_999.96, 1_234_567.891],
  ...Array.from({ length: 4000 }, (_, k) => Math.sin(k) * 10 ** ((k % 31) - 15)),
].flatMap((value) => [value, -value]);

describe("numbers as text are d3-format's", () => {
  test.each([0, 1, 2, 5, 8])("fixed, %i decimals", (n) => {
    const [plain, signed] = [format(`,.${n}f`), format(`+,.${n}f`)];
    for (const value of NUMBERS) {
      expect(fixed(n)(value), String(value)).toBe(plain(value));
      expect(fixed(n, true)(value), String(value)).toBe(unsigned(signed(value)));
    }
  });

  test("with an exponent", () => {
    const [plain, signed] = [format(".3~e"), format("+.3~e")];
    for (const value of NUMBERS) {
      expect(scientific()(value)).toBe(plain(value));
      expect(scientific(true)(value)).toBe(unsigned(signed(value)));
    }
  });
});

test("as they are read", () => {
  expect([-1234.5, 0.4, -0.04, 1e7].map(fixed(1))).toEqual(["−1,234.5", "0.4", "0.0", "10,000,000.0"]);
  expect([0, -0.04].map(fixed(1, true))).toEqual(["0.0", "0.0"]);
  expect([12_000_000_000, -1.5e-9].map(scientific())).toEqual(["1.2e+10", "−1.5e-9"]);
});
