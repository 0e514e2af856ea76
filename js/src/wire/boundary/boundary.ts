/** The messages of the view of one row's boundary: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import {
  type BoundaryAnswerMessage,
  type BoundaryListedMessage,
  type BoundaryMessage,
  type BoundaryPathMessage,
  type BoundaryProgressMessage,
  boundaryAnswersMessage,
  boundaryListedMessage,
  boundaryMessage,
  boundaryProgressMessage,
} from "../messages";
import { nullable, number, recordOf, tuple, unlessEmpty, WireError } from "../schema";
import { decodePictures, type ImageSize, type Pictures, pictureBytes } from "./pictures";

export type {
  BoundaryFeatureMessage as Feature,
  BoundaryListedRowMessage as ListedRow,
  BoundaryMessage,
  BoundaryPieceMessage as Piece,
  BoundaryProjectionMessage as Projection,
  BoundaryWordsMessage as Words,
} from "../messages";

/** Least and greatest value of a feature, null for no end. */
export const bounds = recordOf(tuple(nullable(number), nullable(number)));
export type Bounds = ReturnType<typeof bounds>;
export type Bound = Bounds[string];

export interface Path extends BoundaryPathMessage {
  /** Value of a feature at a step, by its position in `features`. */
  readonly value: (feature: number, step: number) => number;
}

export interface Answer extends Omit<BoundaryAnswerMessage, "path" | "pictures" | "values"> {
  readonly path: Path | null;
  readonly pictures: Pictures | null;
}

export type BoundaryTraits = {
  row: number;
  target: string;
  fixed: string[];
  bounds: Record<string, readonly (number | null)[]>;
  edits: Record<string, number | string>;
  message: unknown;
  rows: Bytes;
  answer: unknown;
  path_values: Bytes;
  pictures: Bytes;
  decision: unknown;
  query: unknown;
  listed: unknown;
  inspect: number;
  search: number;
  stop: number;
  progress: unknown;
};

function decodePath(
  { path, values: [start = 0, size = 0] }: BoundaryAnswerMessage,
  buffer: Float32Array,
): Path | null {
  if (!path) return null;
  if (path.length.length < 2) throw new WireError('"path.length" must have at least two steps');
  const steps = path.length.length;
  if (size !== steps * path.moving.length || start + size > buffer.length) {
    throw new WireError(`"path_values" must hold ${path.moving.length} features at ${steps} steps`);
  }
  const row = new Map(path.moving.map((feature, k) => [feature, k]));
  const value = (feature: number, step: number) => {
    const k = row.get(feature);
    return k === undefined ? Number.NaN : (buffer[start + k * steps + step] as number);
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
  const shades = pictureBytes(traits.pictures);
  if (answers.length === 0) throw new WireError('"answer" must hold at least one');
  return answers.map((answer, k) => {
    const strange = (answer.path?.moving ?? []).some((place) => answer.features[place] === undefined);
    if (strange) throw new WireError(`"answers[${k}].path.moving" must be positions in its features`);
    const { path: _, values: __, ...rest } = answer;
    return {
      ...rest,
      path: decodePath(answer, buffer),
      pictures: decodePictures(answer.pictures, image, shades),
    };
  });
}

export function decodeBoundary(traits: Pick<BoundaryTraits, "message">): BoundaryMessage {
  return boundaryMessage(traits.message, "message");
}

/** [field][row]: predicted and true label, answer. */
const FIELDS = 3;

/** Every row, where they came along; null where the kernel lists them. */
export function decodeRows(
  { n_rows: n, rows_shipped }: BoundaryMessage,
  traits: Pick<BoundaryTraits, "rows">,
): BoundaryListedMessage["rows"] | null {
  if (!rows_shipped) return null;
  const values = float32("rows", traits.rows, FIELDS * n);
  return Array.from({ length: n }, (_, row) => ({
    row,
    predicted: values[row] as number,
    truth: values[n + row] as number,
    answer: values[2 * n + row] as number,
  }));
}

/** What is listed: the rows of a filter and a text; `n` of them, of which `rows` are the first. */
export type Listed = BoundaryListedMessage;
export type RowFilter = Listed["filter"];
/** Which rows are listed. */
export type Query = Pick<Listed, "filter" | "text">;

/** What the kernel listed last; null before the first. */
export const decodeListed = (value: unknown): Listed | null =>
  unlessEmpty(boundaryListedMessage)(value, "listed");

/** What the kernel is at; `doing` or `error` is "". */
export type Progress = BoundaryProgressMessage | null;

export const decodeProgress = (value: unknown): Progress =>
  unlessEmpty(boundaryProgressMessage)(value, "progress");
