/** Pictures of features that are pixels: bytes of a buffer, a shade each. */

import { type Bytes, uint8 } from "../buffers";
import type { BoundaryPicturesMessage } from "../messages";
import { WireError } from "../schema";

/** Height, width and channels (1 or 3). */
export type ImageSize = readonly number[];

/** Shades are 0 for none and 1 to 255, [pixel][channel]; of the direction [pixel], 128 for none. */
export interface Pictures {
  readonly low: number;
  readonly high: number;
  readonly row: Uint8Array;
  readonly point: Uint8Array;
  readonly rival: Uint8Array;
  readonly direction: Uint8Array;
  /** The row at a step of the path; null where there is no path. */
  readonly at: (step: number) => Uint8Array | null;
}

/** Every byte that came along; none where there are no pictures. */
export function pictureBytes(bytes: Bytes | undefined): Uint8Array {
  return bytes === undefined ? new Uint8Array(0) : uint8("pictures", bytes);
}

export function decodePictures(
  message: BoundaryPicturesMessage | null,
  image: ImageSize | null,
  buffer: Uint8Array,
): Pictures | null {
  if (!message || !image) return null;
  const [height = 0, width = 0, channels = 1] = image;
  const { first, low, high, n_steps: steps, stride } = message;
  const flat = height * width;
  const size = flat * channels;
  const whole = (3 + steps) * size + flat;
  if (first + whole > buffer.length)
    throw new WireError(`"pictures" must hold ${whole} bytes from ${first} on`);
  const part = (from: number, n: number) => buffer.subarray(first + from, first + from + n);
  const walked = 3 * size + flat;
  return {
    low,
    high,
    row: part(0, size),
    point: part(size, size),
    rival: part(2 * size, size),
    direction: part(3 * size, flat),
    at: (step) =>
      steps === 0 ? null : part(walked + Math.min(steps - 1, Math.round(step / stride)) * size, size),
  };
}
