/** Pictures of features that are pixels: bytes of a buffer, a shade each. */

import { arraysOf, type Bytes, mapValues, uint8 } from "../buffers";
import type { BoundaryPicturesMessage } from "../messages";

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
  const [height = 0, width = 0, channel = 1] = image;
  const { low, high, n_steps: steps, stride, layout } = message;
  const names = ["row", "point", "rival", "direction", "path"] as const;
  const sizes = { pixel: height * width, channel, step: steps };
  const { path, ...pictures } = arraysOf("pictures", buffer, layout, names, sizes);
  return {
    low,
    high,
    ...mapValues(pictures, (read) => read()),
    at: (step) => (steps === 0 ? null : path({ step: Math.min(steps - 1, Math.round(step / stride)) })),
  };
}
