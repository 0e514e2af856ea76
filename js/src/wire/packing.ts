/** Buffers that Python made small: see `tauscope.views.packing`. */

import { inflate } from "./inflate";

/** First four bytes of what is packed: as a float32 a NaN that no computation gives. */
const PACKED = 0x7fc0545a;
const HEADER = 8;

const INTEGERS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

function isWidth(width: number): width is keyof typeof INTEGERS {
  return width in INTEGERS;
}

/** What was packed, or the bytes as they are. */
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
