/** Bytes that zlib made smaller, as they were: RFC 1950 and 1951. */

/** Symbols by the next bits, each shifted by four, with how many bits it takes; 0 where none begins so. */
interface Codes {
  readonly symbols: Uint16Array;
  readonly mask: number;
}

/** In which order the lengths of the codes for lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
/** Bits that follow a length, and a distance; and what the bits are added to. */
const LENGTH_BITS = Array.from({ length: 29 }, (_, k) => (k < 8 || k === 28 ? 0 : (k >> 2) - 1));
const DISTANCE_BITS = Array.from({ length: 30 }, (_, k) => (k < 4 ? 0 : (k >> 1) - 1));
const LENGTHS = [...startsOf(LENGTH_BITS, 3).slice(0, -1), 258];
const DISTANCES = startsOf(DISTANCE_BITS, 1);

function startsOf(bits: readonly number[], first: number): number[] {
  let next = first;
  return bits.map((n) => {
    next += 1 << n;
    return next - (1 << n);
  });
}

function fail(): never {
  throw new RangeError("it is no whole zlib data");
}

/** The codes of symbols by the lengths of these, the shorter first, and of one length in order. */
function codesOf(lengths: readonly number[]): Codes {
  const longest = Math.max(1, ...lengths);
  const symbols = new Uint16Array(1 << longest);
  let code = 0;
  for (let n = 1; n <= longest; n++, code <<= 1) {
    lengths.forEach((length, symbol) => {
      if (length !== n) return;
      let reversed = 0;
      for (let k = 0; k < n; k++) reversed |= ((code >> k) & 1) << (n - 1 - k);
      for (let at = reversed; at < symbols.length; at += 1 << n) symbols[at] = (symbol << 4) | n;
      code++;
    });
  }
  return { symbols, mask: symbols.length - 1 };
}

const repeated = (n: number, value: number) => Array.from({ length: n }, () => value);

export function inflate(data: Uint8Array): Uint8Array {
  const [method, flags] = [data[0] as number, data[1] as number];
  if ((method & 15) !== 8 || (256 * method + flags) % 31 !== 0) fail();
  let at = 16;
  let out = new Uint8Array(8 * data.length);
  let n = 0;
  const room = (more: number) => {
    if (n + more <= out.length) return;
    const larger = new Uint8Array(2 * out.length + more);
    larger.set(out);
    out = larger;
  };
  const peek = () => {
    const k = at >>> 3;
    return (
      ((data[k] as number) | ((data[k + 1] as number) << 8) | ((data[k + 2] as number) << 16)) >>> (at & 7)
    );
  };
  const bits = (count: number) => {
    const value = peek() & ((1 << count) - 1);
    at += count;
    if (at > 8 * data.length) fail();
    return value;
  };
  const symbol = ({ symbols, mask }: Codes) => {
    const found = symbols[peek() & mask] as number;
    at += found & 15;
    if (found === 0 || at > 8 * data.length) fail();
    return found >> 4;
  };
  const writtenCodes = (): readonly [Codes, Codes] => {
    const [nLengths, nDistances, nOrder] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    const own = repeated(19, 0);
    for (const place of ORDER.slice(0, nOrder)) own[place] = bits(3);
    const codes = codesOf(own);
    const lengths: number[] = [];
    while (lengths.length < nLengths + nDistances) {
      const next = symbol(codes);
      if (next < 16) lengths.push(next);
      else if (next === 16) lengths.push(...repeated(3 + bits(2), lengths.at(-1) ?? fail()));
      else lengths.push(...repeated(next === 17 ? 3 + bits(3) : 11 + bits(7), 0));
    }
    return [codesOf(lengths.slice(0, nLengths)), codesOf(lengths.slice(nLengths))];
  };
  const copy = () => {
    at = (at + 7) & ~7;
    const size = bits(16);
    at += 16;
    const from = at >>> 3;
    if (from + size > data.length) fail();
    room(size);
    out.set(data.subarray(from, from + size), n);
    n += size;
    at += 8 * size;
  };
  const decode = ([literals, distances]: readonly [Codes, Codes]) => {
    for (let next = symbol(literals); next !== 256; next = symbol(literals)) {
      if (next < 256) {
        room(1);
        out[n++] = next;
        continue;
      }
      const size = (LENGTHS[next - 257] ?? fail()) + bits(LENGTH_BITS[next - 257] as number);
      const code = symbol(distances);
      const back = (DISTANCES[code] ?? fail()) + bits(DISTANCE_BITS[code] as number);
      if (back > n) fail();
      room(size);
      for (const end = n + size; n < end; n++) out[n] = out[n - back] as number;
    }
  };
  for (let last = 0; last === 0; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) copy();
    else if (kind === 1) {
      const lengths = [...repeated(144, 8), ...repeated(112, 9), ...repeated(24, 7), ...repeated(8, 8)];
      decode([codesOf(lengths), codesOf(repeated(30, 5))]);
    } else if (kind === 2) decode(writtenCodes());
    else fail();
  }
  return out.subarray(0, n);
}
