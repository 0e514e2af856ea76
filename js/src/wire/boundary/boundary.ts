/** The messages of the view of one row's boundary: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import { level } from "../reasons";
import {
  flag,
  type Infer,
  list,
  nullable,
  number,
  numbers,
  numbersOrNull,
  object,
  oneOf,
  record,
  refined,
  type Schema,
  text,
  texts,
  unlessEmpty,
  version,
  WireError,
} from "../schema";
import { decodePictures, type ImageSize, type Pictures, pictureBytes, picturesMessage } from "./pictures";
import { wordsMessage } from "./words";

/** Least and greatest value of a feature; null for no end. */
export type Bound = readonly [number | null, number | null];
export type Bounds = Readonly<Record<string, Bound>>;

export const bounds: Schema<Bounds> = (value, where) => {
  const entries = Object.entries(record(value, where)).map(([name, ends]) => {
    const found = numbersOrNull(ends, `${where}.${name}`);
    if (found.length === 2) return [name, found as unknown as Bound] as const;
    throw new WireError(`"${where}.${name}" must be two ends, received ${found.length}`);
  });
  return Object.fromEntries(entries);
};

const featureMessage = object({
  name: text,
  kind: oneOf("number", "levels", "date", "duration"),
  integer: flag,
  /** One unit of the distance, in the feature's own: a standard deviation. */
  scale: number,
  /** Names by code, of levels alone. */
  levels: texts,
  /** Values, or codes of levels; null for a missing one, and where there is no such row. */
  start: nullable(number),
  point: nullable(number),
  rival: nullable(number),
  changed: flag,
  /** Why it can change in no row; "" where it can. */
  held: text,
  /** Of the unit direction; 0 where it stays. */
  direction: number,
  /** How far the direction takes the feature, in its own unit, along the way that `effect_words` tells; of levels 0. */
  effect: number,
});
export type Feature = Infer<typeof featureMessage>;

const pathMessage = refined(
  object({
    /** Walked from the row, in units of the distance; 0 first. */
    length: numbers,
    /** Of the class that the row has now. */
    answer: numbersOrNull,
    /** Positions in `labels`. */
    label: numbers,
    labels: texts,
    /** 1 where the decision is another, or the class searched; else 0. */
    flipped: numbers,
    crossing: nullable(number),
    returns: flag,
    /** Positions in `features` of those that change on the way. */
    moving: numbers,
  }),
  ({ length, answer, label, flipped }, where) => {
    const n = length.length;
    if (n > 1 && answer.length === n && label.length === n && flipped.length === n) return;
    throw new WireError(`"${where}" must have an answer and a label for each of at least two steps`);
  },
);

const projectionMessage = refined(
  object({ first: numbers, second: numbers, flipped: numbers, words: text }),
  ({ first, second, flipped }, where) => {
    if (second.length === first.length && flipped.length === first.length) return;
    throw new WireError(`"${where}" must have two coordinates and a decision for each point`);
  },
);
export type Projection = Infer<typeof projectionMessage>;

const diagnosticMessage = object({ label: text, value: text, words: text });

const answerMessage = refined(
  object({
    row: number,
    /** The class searched; "" for the nearest of any. */
    target: text,
    /** What it is of several: "nearest", "stretch 2". */
    name: text,
    found: flag,
    headline: text,
    /** How the lower bound was found, in words; "" for none. */
    certificate: text,
    /** What was tried, where nothing was found; "" else. */
    status: text,
    reliability: object({ level, words: text, reasons: texts }),
    notes: texts,
    /** What the row and the point are decided as, and the training row beyond it. */
    labels: object({ start: text, point: text, rival: text }),
    rival_row: nullable(number),
    unit: text,
    response: text,
    response_kind: oneOf("share", "value"),
    /** Where the decision turns, where one value of the answer tells. */
    threshold: nullable(number),
    features: list(featureMessage),
    effect_words: text,
    /** Features that were not sent; of those, the ones that change, and the ones that are 0 throughout. */
    n_more: number,
    n_more_changed: number,
    n_more_zero: number,
    /** Whether most of the row is 0, so that features that are 0 throughout need no line. */
    mostly_zero: flag,
    path: nullable(pathMessage),
    diagnostics: list(diagnosticMessage),
    /** Where two components were fitted. */
    projection: nullable(projectionMessage),
    pictures: nullable(picturesMessage),
    words: nullable(wordsMessage),
    n_model_rows: number,
    fixed: texts,
    bounds,
    /** Start and size of the path's values in the buffer. */
    values: numbers,
  }),
  ({ path, features }, where) => {
    const known = (path?.moving ?? []).every((place) => features[place] !== undefined);
    if (!known) throw new WireError(`"${where}.path.moving" must be positions in its features`);
  },
);
type AnswerMessage = Infer<typeof answerMessage>;

export interface Path extends NonNullable<AnswerMessage["path"]> {
  /** Value of a feature at a step, by its position in `features`. */
  readonly value: (feature: number, step: number) => number;
}

export interface Answer extends Omit<AnswerMessage, "path" | "pictures" | "values"> {
  readonly path: Path | null;
  readonly pictures: Pictures | null;
}

const answersMessage = object({ answers: list(answerMessage) });

const boundaryMessage = object({
  version: version(1),
  title: text,
  model: text,
  n_rows: number,
  /** Classes that can be searched for beside the nearest of any; empty where there are two. */
  targets: texts,
  /** Names by the codes of `rows`. */
  labels: texts,
  response: text,
  response_kind: oneOf("share", "value"),
  /** Whether there are true labels. */
  labelled: flag,
  /** Whether a kernel can be asked; why it cannot where it cannot. */
  live: flag,
  offline: text,
  /** Whether the predictions of all rows came along; else the kernel lists them. */
  rows_shipped: flag,
  /** Of the pictures, where features are pixels. */
  image: nullable(numbers),
});
export type BoundaryMessage = Infer<typeof boundaryMessage>;

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
  { path, values: [start = 0, size = 0] }: AnswerMessage,
  buffer: Float32Array,
): Path | null {
  if (!path) return null;
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
  const { answers } = answersMessage(traits.answer, "answer");
  const buffer = float32("path_values", traits.path_values);
  const shades = pictureBytes(traits.pictures);
  if (answers.length === 0) throw new WireError('"answer" must hold at least one');
  return answers.map(({ values, ...answer }) => ({
    ...answer,
    path: decodePath({ ...answer, values }, buffer),
    pictures: decodePictures(answer.pictures, image, shades),
  }));
}

export function decodeBoundary(traits: Pick<BoundaryTraits, "message">): BoundaryMessage {
  return boundaryMessage(traits.message, "message");
}

/** A row of the list of rows; `truth` is -1 where there is none, `answer` NaN. */
export interface ListedRow {
  readonly row: number;
  readonly predicted: number;
  readonly truth: number;
  readonly answer: number;
}

/** [field][row]: predicted and true label, answer. */
const FIELDS = 3;

/** Every row, where they came along; null where the kernel lists them. */
export function decodeRows(
  { n_rows: n, rows_shipped }: BoundaryMessage,
  traits: Pick<BoundaryTraits, "rows">,
): readonly ListedRow[] | null {
  if (!rows_shipped) return null;
  const values = float32("rows", traits.rows, FIELDS * n);
  return Array.from({ length: n }, (_, row) => ({
    row,
    predicted: values[row] as number,
    truth: values[n + row] as number,
    answer: values[2 * n + row] as number,
  }));
}

export type RowFilter = "all" | "errors";

/** Which rows are listed: a filter, a text, and how many there are room for. */
export interface Query {
  readonly filter: RowFilter;
  readonly text: string;
}

const listedMessage = unlessEmpty(
  object({
    filter: oneOf("all", "errors"),
    text,
    n: number,
    rows: list(object({ row: number, predicted: number, truth: number, answer: nullable(number) })),
  }),
);

export interface Listed extends Query {
  /** How many there are, of which `rows` are the first. */
  readonly n: number;
  readonly rows: readonly ListedRow[];
}

/** What the kernel listed last; null before the first. */
export function decodeListed(value: unknown): Listed | null {
  const listed = listedMessage(value, "listed");
  if (!listed) return null;
  return {
    ...listed,
    rows: listed.rows.map((row) => ({ ...row, answer: row.answer ?? Number.NaN })),
  };
}

const progressMessage = unlessEmpty(object({ row: number, doing: text, n_model_rows: number, error: text }));
/** What the kernel is at; `doing` or `error` is "". */
export type Progress = Infer<typeof progressMessage>;

export function decodeProgress(value: unknown): Progress {
  return progressMessage(value, "progress");
}
