/** Binary traits to numbers. */

import { inflate } from "./inflate";
import type { ArrayMessage, RowColumnMessage } from "./messages";
import { type Bytes, WireError } from "./schema";

export type { Bytes } from "./schema";

/** First four bytes of what is packed: as a float32 a NaN that no computation gives. */
const PACKED = 0x7fc0545a;
const HEADER = 8;

const INTEGERS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

function isWidth(width: number): width is keyof typeof INTEGERS {
  return width in INTEGERS;
}

/** What `tauscope.views.packing` packed, or the bytes as they are. */
export function unpack(view: DataView): DataView {
  if (view.byteLength < HEADER || view.getUint32(0, true) !== PACKED) return view;
  const [width, lag] = [view.getUint8(4), view.getUint16(6, true)];
  if (!isWidth(width)) throw new RangeError(`packed numbers have 1, 2 or 4 bytes, received ${width}`);
  const planes = inflate(new Uint8Array(view.buffer, view.byteOffset + HEADER, view.byteLength - HEADER));
  if (width === 1 && lag === 0) return new DataView(planes.buffer, planes.byteOffset, planes.length);
  const n = planes.length / width;
  const values = new INTEGERS[width](n);
  for (let k = 0; k < n; k++) {
    let bits = 0;
    for (let b = 0; b < width; b++) bits |= (planes[b * n + k] as number) << (8 * b);
    // the array takes it modulo its size, as the differences were taken
    values[k] = bits + (k < lag ? 0 : (values[k - lag] as number));
  }
  return littleEndian(values, width);
}

function littleEndian(values: Uint8Array | Uint16Array | Uint32Array, width: number): DataView {
  const view = new DataView(new ArrayBuffer(values.length * width));
  values.forEach((value, k) => {
    if (width === 4) view.setUint32(4 * k, value, true);
    else if (width === 2) view.setUint16(2 * k, value, true);
    else view.setUint8(k, value);
  });
  return view;
}

function isBytes(value: unknown): value is Bytes {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function refuse(name: string, value: unknown): never {
  throw new WireError(`"${name}" must be bytes, received ${value === null ? "null" : typeof value}`);
}

/** The bytes of a trait, as they were before they were packed; of what is read in parts, once for all. */
export function viewOf(name: string, bytes: unknown): DataView {
  if (!isBytes(bytes)) refuse(name, bytes);
  const view = ArrayBuffer.isView(bytes)
    ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new DataView(bytes);
  try {
    return unpack(view);
  } catch (error) {
    throw new WireError(`"${name}" cannot be unpacked: ${error instanceof Error ? error.message : error}`);
  }
}

/** How many numbers of four bytes a buffer holds. */
function wholeNumbers(name: string, view: DataView): number {
  if (view.byteLength % 4 === 0) return view.byteLength / 4;
  throw new WireError(`"${name}" must hold numbers of four bytes, received ${view.byteLength} bytes`);
}

function checkBytes(name: string, view: DataView, expected: number): void {
  if (view.byteLength === expected) return;
  throw new WireError(
    `"${name}" must hold ${expected} bytes as the message says, received ${view.byteLength} bytes`,
  );
}

/**
 * Little-endian float32 values of a buffer, copied so that they are aligned whatever the host's offset.
 *
 * @param name the trait, for the message
 * @param announced number of float32 values the message announces; left out, as many as there are
 */
export function float32(name: string, bytes: unknown, announced?: number): Float32Array {
  const view = viewOf(name, bytes);
  const expected = announced ?? wholeNumbers(name, view);
  if (view.byteLength !== 4 * expected) {
    throw new WireError(
      `"${name}" must hold ${expected} float32 values (${4 * expected} bytes) as the message says, ` +
        `received ${view.byteLength} bytes`,
    );
  }
  const values = new Float32Array(expected);
  for (let k = 0; k < expected; k++) values[k] = view.getFloat32(4 * k, true);
  return values;
}

/**
 * Columns of `n` float32 values: each row's, or the different values and each row's place among them.
 *
 * @param sizes how many different values a column has, 0 where it has each row's own
 */
export function float32Columns(
  name: string,
  bytes: unknown,
  sizes: readonly number[],
  n: number,
): Float32Array {
  const view = viewOf(name, bytes);
  const length = (size: number) => (size === 0 ? 4 * n : 4 * size + (size > 2 ? n : Math.ceil(n / 8)));
  const expected = sizes.reduce((sum, size) => sum + length(size), 0);
  checkBytes(name, view, expected);
  const columns = new Float32Array(sizes.length * n);
  let start = 0;
  sizes.forEach((size, k) => {
    const codes = start + 4 * size;
    const place = (i: number) =>
      size > 2 ? view.getUint8(codes + i) : (view.getUint8(codes + (i >> 3)) >> (i & 7)) & 1;
    // a place past the values is none: NaN would be a row without a value
    const values = Float32Array.from({ length: size }, (_, v) => view.getFloat32(start + 4 * v, true));
    for (let i = 0; i < n; i++) {
      const at = size === 0 ? i : place(i);
      if (size > 0 && at >= size) {
        throw new WireError(`"${name}" must hold places among ${size} values, received ${at}`);
      }
      columns[k * n + i] = size === 0 ? view.getFloat32(start + 4 * i, true) : (values[at] as number);
    }
    start += length(size);
  });
  return columns;
}

/** The bytes of a buffer, copied; as many as the message announces, where it does. */
export function uint8(name: string, bytes: unknown, announced?: number): Uint8Array {
  const view = viewOf(name, bytes);
  const expected = announced ?? view.byteLength;
  checkBytes(name, view, expected);
  return Uint8Array.from({ length: expected }, (_, k) => view.getUint8(k));
}

/** Little-endian unsigned integers of a buffer, copied. */
export function uint32(name: string, bytes: unknown): Uint32Array {
  const view = viewOf(name, bytes);
  const size = wholeNumbers(name, view);
  const values = new Uint32Array(size);
  for (let k = 0; k < size; k++) values[k] = view.getUint32(4 * k, true);
  return values;
}

/** Names of arrays that many buffers have. */
export const VALUES = ["value", "lower", "upper"] as const;
export const REASONED = ["reason", "amount"] as const;

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
/** How numbers are written, in the words of NumPy. */
export type NumberType = RowColumnMessage["type"];

const READERS: Record<NumberType, (view: DataView, at: number, n: number) => Numbers> = {
  u1: (view, at, n) => Uint8Array.from({ length: n }, (_, k) => view.getUint8(at + k)),
  u2: (view, at, n) => Uint16Array.from({ length: n }, (_, k) => view.getUint16(at + 2 * k, true)),
  u4: (view, at, n) => Uint32Array.from({ length: n }, (_, k) => view.getUint32(at + 4 * k, true)),
  f4: (view, at, n) => Float32Array.from({ length: n }, (_, k) => view.getFloat32(at + 4 * k, true)),
  f8: (view, at, n) => Float64Array.from({ length: n }, (_, k) => view.getFloat64(at + 8 * k, true)),
};

/** Unsigned integers of two bytes, copied. */
export function uint16(name: string, bytes: unknown): Uint16Array {
  const view = viewOf(name, bytes);
  return READERS.u2(view, 0, Math.floor(view.byteLength / 2)) as Uint16Array;
}

/** The numbers of an array over the axes that are not given: of [feature][metric][tau] at a feature and a metric. */
export type Read<A> = (at?: Readonly<Record<string, number>>) => A;

/** Numbers over some axes, each with how long it is and how far apart they stand; without a copy where in order. */
function gathered<A extends Numbers>(all: A, axes: readonly (readonly [number, number])[], start: number): A {
  let size = 1;
  let inOrder = true;
  for (const [n, stride] of axes.slice().reverse()) {
    inOrder &&= stride === size;
    size *= n;
  }
  if (inOrder) return all.subarray(start, start + size) as A;
  const values = all.slice(0, size) as A;
  const fill = (axis: number, to: number, from: number) => {
    const [n, stride] = axes[axis] ?? [0, 0];
    const step = axes.slice(axis + 1).reduce((product, [m]) => product * m, 1);
    for (let k = 0; k < n; k++) {
      if (step === 1) values[to + k] = all[from + k * stride] as number;
      else fill(axis + 1, to + k * step, from + k * stride);
    }
  };
  fill(0, 0, start);
  return values;
}

/**
 * Arrays of a buffer by their names: no other code knows where numbers stand.
 *
 * @param buffer the trait, for the message
 * @param all its numbers
 * @param layout what the message says that it holds
 * @param sizes how long axes are, by what they are of, where the rest of the message says so
 */
export function arraysOf<A extends Numbers, N extends string>(
  buffer: string,
  all: A,
  layout: readonly ArrayMessage[] | undefined,
  names: readonly N[],
  sizes: Readonly<Record<string, number>> = {},
): Readonly<Record<N, Read<A>>> {
  const read = names.map((name) => {
    const found = layout?.find((one) => one.name === name);
    if (!found) throw new WireError(`"${buffer}" must have an array "${name}", and its layout names none`);
    const { dims, shape, strides, start } = found;
    dims.forEach((dim, axis) => {
      if (sizes[dim] === undefined || sizes[dim] === shape[axis]) return;
      const rule = `must have ${sizes[dim]} numbers of "${name}" by ${dim} as the message says`;
      throw new WireError(`"${buffer}" ${rule}, received ${shape[axis]}`);
    });
    const last = shape.reduce((place, n, axis) => place + (n - 1) * (strides[axis] as number), start);
    if (!shape.includes(0) && !(start >= 0 && last < all.length)) {
      throw new WireError(
        `"${buffer}" must hold ${last + 1} numbers at least as the message says, received ${all.length}`,
      );
    }
    const at: Read<A> = (places = {}) => {
      const axes = dims.map((dim, k) => [dim, shape[k] as number, strides[k] as number] as const);
      const from = axes.reduce((sum, [dim, , stride]) => sum + (places[dim] ?? 0) * stride, start);
      const over = axes.filter(([dim]) => places[dim] === undefined);
      return gathered(
        all,
        over.map(([, n, stride]) => [n, stride]),
        from,
      );
    };
    return [name, at] as const;
  });
  return Object.fromEntries(read) as Record<N, Read<A>>;
}

/** Arrays of `n` numbers each, one after the other: the `k`-th of them. */
export function rowsOf<A extends Numbers>(values: A, n: number): (k: number) => A {
  return (k) => values.subarray(k * n, (k + 1) * n) as A;
}

/** The same names with what is made of each value: several arrays read at one place. */
export function mapValues<N extends string, A, B>(values: Readonly<Record<N, A>>, make: (value: A) => B) {
  const made = Object.entries<A>(values).map(([name, value]) => [name, make(value)]);
  return Object.fromEntries(made) as Readonly<Record<N, B>>;
}

/** Little-endian columns of `n` numbers each, one after the other, copied. */
export function columnsOf(name: string, bytes: unknown, types: readonly NumberType[], n: number): Numbers[] {
  const view = viewOf(name, bytes);
  const size = types.reduce((sum, type) => sum + n * Number(type[1]), 0);
  checkBytes(name, view, size);
  let at = 0;
  return types.map((type) => {
    const column = READERS[type](view, at, n);
    at += n * Number(type[1]);
    return column;
  });
}
