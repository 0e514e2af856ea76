/** Binary traits to numbers: no other file knows where numbers stand. */

import { inflate } from "../solve/inflate";
import type { ArrayMessage, RowColumnMessage } from "./messages";
import { WireError } from "./schema";

/** How numbers are written, in the words of NumPy: little-endian, as arrays are wherever there is a browser. */
const ARRAYS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
} as const;
type NumberType = RowColumnMessage["type"];
type NumbersOf = { u1: Uint8Array; u2: Uint16Array; u4: Uint32Array; f4: Float32Array; f8: Float64Array };
export type Numbers = NumbersOf[NumberType];

/** Names of arrays that many buffers have. */
export const VALUES = ["value", "lower", "upper"] as const;
/** A number, or an array of them, and the ends of its interval; NaN where there are none. */
export type Interval<T = number> = Readonly<Record<(typeof VALUES)[number], T>>;

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
  return new DataView(values.buffer);
}

/** The bytes of a trait, as they were before they were packed. */
function viewOf(name: string, bytes: unknown): DataView {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && !(bytes instanceof ArrayBuffer)) {
    throw new WireError(`"${name}" must be bytes, received ${bytes === null ? "null" : typeof bytes}`);
  }
  const view = isView ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes);
  try {
    return unpack(view);
  } catch (error) {
    throw new WireError(`"${name}" cannot be unpacked: ${error instanceof Error ? error.message : error}`);
  }
}

function checkBytes(name: string, view: DataView, size: number, what = `${size} bytes`): void {
  if (view.byteLength === size) return;
  throw new WireError(`"${name}" must hold ${what} as the message says, received ${view.byteLength} bytes`);
}

/** Numbers from a byte on, copied so that they are aligned whatever the host's offset. */
function numbersAt<T extends NumberType>(type: T, view: DataView, at: number, n: number): NumbersOf[T] {
  const start = view.byteOffset + at;
  const copy = view.buffer.slice(start, start + n * Number(type[1])) as ArrayBuffer;
  return new ARRAYS[type](copy) as NumbersOf[T];
}

/** A reader of all numbers of a buffer: as many as the message announces, or as many as there are. */
function readerOf<T extends NumberType>(type: T, words: string) {
  return (name: string, bytes: unknown, announced?: number): NumbersOf[T] => {
    const view = viewOf(name, bytes);
    const width = Number(type[1]);
    const n = announced ?? Math.floor(view.byteLength / width);
    checkBytes(name, view, n * width, `${n} ${words}${width > 1 ? ` (${n * width} bytes)` : ""}`);
    return numbersAt(type, view, 0, n);
  };
}

export const float32 = readerOf("f4", "float32 values");
export const uint8 = readerOf("u1", "bytes");
export const uint16 = readerOf("u2", "uint16 values");
export const uint32 = readerOf("u4", "uint32 values");

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
  const placesOf = (size: number) => (size === 0 ? 0 : size > 2 ? n : Math.ceil(n / 8));
  checkBytes(
    name,
    view,
    sizes.reduce((sum, size) => sum + 4 * (size || n) + placesOf(size), 0),
  );
  const columns = new Float32Array(sizes.length * n);
  let start = 0;
  sizes.forEach((size, k) => {
    const values = numbersAt("f4", view, start, size || n);
    const codes = start + 4 * values.length;
    start = codes + placesOf(size);
    if (size === 0) {
      columns.set(values, k * n);
      return;
    }
    for (let i = 0; i < n; i++) {
      const at = size > 2 ? view.getUint8(codes + i) : (view.getUint8(codes + (i >> 3)) >> (i & 7)) & 1;
      // a place past the values is none: NaN would be a row without a value
      if (at >= size) {
        throw new WireError(`"${name}" must hold places among ${size} values, received ${at}`);
      }
      columns[k * n + i] = values[at] as number;
    }
  });
  return columns;
}

/** Columns of `n` numbers each, one after the other, copied. */
export function columnsOf(
  name: string,
  bytes: unknown,
  types: readonly NumberType[],
  n: number,
): readonly Numbers[] {
  const view = viewOf(name, bytes);
  const before = (k: number) => types.slice(0, k).reduce((sum, type) => sum + n * Number(type[1]), 0);
  checkBytes(name, view, before(types.length));
  return types.map((type, k) => numbersAt(type, view, before(k), n));
}

/** How far along some axes, by what they are of; or how long they are. */
export type Place = Readonly<Record<string, number>>;
/** The numbers of an array over the axes that are not given: of [feature][metric][tau] at a feature and a metric. */
export type Read<A> = (at?: Place) => A;
export type Arrays<N extends string, A = Numbers> = Readonly<Record<N, Read<A>>>;

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
  sizes: Place = {},
): Arrays<N, A> {
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
