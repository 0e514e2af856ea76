/** The messages of the view of one row's boundary: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, uint8 } from "../buffers";
import {
  type BoundaryAnswerMessage,
  type BoundaryListedMessage,
  type BoundaryMessage,
  type BoundaryPathMessage,
  type BoundaryPicturesMessage,
  type BoundaryViewTraits,
  boundaryAnswersMessage,
} from "../messages";
import { nullable, number, numberOrText, recordOf, tuple, WireError } from "../schema";

/** Height, width and channels (1 or 3). */
export type ImageSize = readonly number[];

/** Shades are 0 for none and 1 to 255, [pixel][channel]; of the direction [pixel], 128 for none. */
interface Pictures {
  readonly low: number;
  readonly high: number;
  readonly row: Uint8Array;
  readonly point: Uint8Array;
  readonly rival: Uint8Array;
  readonly direction: Uint8Array;
  /** The row at a step of the path; null where there is no path. */
  readonly at: (step: number) => Uint8Array | null;
}

/** Pictures of features that are pixels: bytes of a buffer, a shade each. */
function decodePictures(
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
    ...{ low, high },
    ...mapValues(pictures, (read) => read()),
    at: (step) => (steps === 0 ? null : path({ step: Math.min(steps - 1, Math.round(step / stride)) })),
  };
}

/** Numbers, in days for a duration; levels by name; ISO dates. */
export const edits = recordOf(numberOrText);
export type Edits = ReturnType<typeof edits>;
export type Edit = Edits[string];

/** Least and greatest value of a feature, null for no end. */
export const bounds = recordOf(tuple(nullable(number), nullable(number)));
export type Bounds = ReturnType<typeof bounds>;
export type Bound = Bounds[string];

export interface Path extends BoundaryPathMessage {
  /** Value of a feature at a step, by its position in `features`. */
  readonly value: (feature: number, step: number) => number;
}

export interface Answer extends Omit<BoundaryAnswerMessage, "path" | "pictures"> {
  readonly path: Path | null;
  readonly pictures: Pictures | null;
}

export type BoundaryTraits = Omit<BoundaryViewTraits, "bounds" | "edits"> & {
  bounds: Record<string, readonly (number | null)[]>;
  edits: Record<string, number | string>;
};

function decodePath(path: BoundaryPathMessage | null, buffer: Float32Array): Path | null {
  if (!path) return null;
  const { length: steps, moving, layout } = path;
  if (steps.length < 2) throw new WireError('"path.length" must have at least two steps');
  const sizes = { step: steps.length, moving: moving.length };
  const { values } = arraysOf("path_values", buffer, layout, ["values"], sizes);
  const value = (feature: number, step: number) => {
    const k = moving.indexOf(feature);
    return k < 0 ? Number.NaN : (values({ moving: k, step })[0] as number);
  };
  return { ...path, value };
}

/**
 * What was found for a row, one entry a region or class, the nearest first.
 *
 * @param image size of the pictures, where there are any
 */
export function decodeAnswers(
  traits: Pick<BoundaryTraits, "answer" | "path_values" | "pictures">,
  image: ImageSize | null = null,
): readonly Answer[] {
  const { answers } = boundaryAnswersMessage(traits.answer, "answer");
  const buffer = float32("path_values", traits.path_values);
  const shades = uint8("pictures", traits.pictures ?? new Uint8Array());
  if (answers.length === 0) throw new WireError('"answer" must hold at least one');
  return answers.map((answer, k) => {
    const strange = (answer.path?.moving ?? []).some((place) => answer.features[place] === undefined);
    if (strange) throw new WireError(`"answers[${k}].path.moving" must be positions in its features`);
    return {
      ...answer,
      path: decodePath(answer.path, buffer),
      pictures: decodePictures(answer.pictures, image, shades),
    };
  });
}

/** Every row, where they came along; null where the kernel lists them. */
export function decodeRows(
  { n_rows: n, rows_shipped, layout }: BoundaryMessage,
  traits: Pick<BoundaryTraits, "rows">,
): BoundaryListedMessage["rows"] | null {
  if (!rows_shipped) return null;
  const all = float32("rows", traits.rows);
  const columns = arraysOf("rows", all, layout, ["predicted", "truth", "answer"], { row: n });
  return Array.from({ length: n }, (_, row) => ({
    row,
    ...mapValues(columns, (read) => read({ row })[0] as number),
  }));
}
export type RowFilter = BoundaryListedMessage["filter"];
/** Which rows are listed. */
export type Query = Pick<BoundaryListedMessage, "filter" | "text">;
