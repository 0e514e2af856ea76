/** The study's rows as the kernel sends them: whole columns, or a window of those that a query finds. */

import { type Bytes, columnsOf, float32, NUMBER_TYPES, type Numbers, uint32 } from "../buffers";
import { answeredFields } from "../population";
import { LEVELS, level } from "../reasons";
import {
  flag,
  type Infer,
  list,
  nullAs,
  nullable,
  number,
  object,
  oneOf,
  optional,
  refined,
  text,
  texts,
  unlessEmpty,
  version,
  WireError,
} from "../schema";
import { readStress } from "../shared_stress";

export const FILTERS = ["all", "errors", "near", "selected", "inside"] as const;
export type RowFilter = (typeof FILTERS)[number];
export type Display = "table" | "scatter";

const rowColumn = object({
  name: text,
  label: text,
  role: oneOf("predicted", "truth", "score", "error", "feature"),
  kind: oneOf("number", "levels", "date", "duration"),
  levels: texts,
  /** Codes of levels, the largest for missing; or floats. */
  type: oneOf(...NUMBER_TYPES),
});
export type RowColumn = Infer<typeof rowColumn>;

const tableMessage = refined(
  object({
    version: version(1),
    title: text,
    model: text,
    notes: texts,
    n_rows: number,
    columns: list(rowColumn),
    /** What `sort` calls the weights as tested, and under the stress. */
    weight_name: text,
    after_name: text,
    task: oneOf("binary", "multiclass", "regression"),
    score_kind: oneOf("share", "value"),
    threshold: nullable(number),
    /** Distance from the threshold within which rows count as near it. */
    near: nullable(number),
    filters: list(oneOf(...FILTERS)),
    weighted: flag,
    ess: number,
    pareto_k: nullAs(Infinity, number),
    shipped: flag,
    live: flag,
    offline: text,
  }),
  ({ columns }) => {
    const names = new Set(columns.map(({ name }) => name));
    if (names.size < columns.length) throw new WireError('"columns" must have names of their own');
  },
);
export type TableMessage = Infer<typeof tableMessage>;

const group = object({
  n: number,
  /** Of all weight, as tested and under the stress. */
  share: number,
  share_after: nullable(number),
  /** Of the weight of these rows, that of the misclassified. */
  errors: nullable(number),
  errors_after: nullable(number),
});
export type Group = Infer<typeof group>;

const weighedMessage = unlessEmpty(
  object({
    ...answeredFields,
    doubt: optional(object({ level, words: text }), { level: LEVELS[0], words: "" }),
  }),
);

const listedMessage = unlessEmpty(
  object({
    search: text,
    filter: oneOf(...FILTERS),
    sort: text,
    descending: flag,
    start: number,
    stress: readStress,
    stressed: flag,
    n: number,
    n_sent: number,
    found: group,
    selected: group,
  }),
);

const sampledMessage = unlessEmpty(
  object({
    search: text,
    filter: oneOf(...FILTERS),
    /** Rows found, and how many of them were drawn by the seed. */
    n: number,
    n_sent: number,
    seed: number,
    stress: readStress,
    stressed: flag,
  }),
);

/** The rows that the kernel has drawn of those found, ascending, each column as long as they are many. */
export interface Sampled extends NonNullable<Infer<typeof sampledMessage>> {
  readonly rows: Uint32Array;
  readonly before: Float32Array;
  /** Null without a stress. */
  readonly after: Float32Array | null;
  readonly columns: readonly Numbers[];
}

/** The population under one stress. */
export interface Weighed extends NonNullable<Infer<typeof weighedMessage>> {
  /** Of each row; null where the kernel lists the rows. */
  readonly weights: Float32Array | null;
}

/** A window of rows, each column as long as it. */
export interface Listed extends NonNullable<Infer<typeof listedMessage>> {
  readonly places: Uint32Array;
  readonly before: Float32Array;
  readonly after: Float32Array;
  readonly columns: readonly Numbers[];
}

export interface TableData {
  readonly message: TableMessage;
  /** Null where the kernel lists the rows. */
  readonly columns: readonly Numbers[] | null;
  /** Weights of the study; null where all rows count alike. */
  readonly before: Float32Array | null;
}

export type TableTraits = {
  message: unknown;
  entries: Bytes;
  row_weights: Bytes;
  weighed: unknown;
  weighed_weights: Bytes;
  listed: unknown;
  window: Bytes;
  sampled: unknown;
  sample: Bytes;
  sample_weights: Bytes;
  inside: unknown;
  inside_rows: Bytes;
  stress: unknown;
  row: number;
  selection: readonly number[];
  search: string;
  filter: string;
  sort: string;
  descending: boolean;
  start: number;
  choose: number;
  display: string;
  x: string;
  y: string;
  feature: string;
};

export const DATA = ["message", "entries", "row_weights"] as const;
export const ANSWERS = [
  "weighed",
  "weighed_weights",
  "listed",
  "window",
  "sampled",
  "sample",
  "sample_weights",
  "inside",
  "inside_rows",
] as const;

const insideMessage = unlessEmpty(object({ words: text }));

/** The rule that rows can be inside of, in words, and those that are. */
export interface InsideRule {
  readonly words: string;
  readonly rows: ReadonlySet<number>;
}

/** What the rules shown beside offer; null where there are none. */
export function decodeInside(traits: Pick<TableTraits, "inside" | "inside_rows">): InsideRule | null {
  const message = insideMessage(traits.inside ?? {}, "inside");
  if (!message) return null;
  return { ...message, rows: new Set(uint32("inside_rows", traits.inside_rows)) };
}

const typesOf = ({ columns }: TableMessage) => columns.map(({ type }) => type);

/** Message and buffers together, their lengths checked against each other. */
export function decodeTable(traits: Pick<TableTraits, (typeof DATA)[number]>): TableData {
  const message = tableMessage(traits.message, "message");
  const { n_rows: n, shipped, weighted } = message;
  return {
    message,
    columns: shipped ? columnsOf("entries", traits.entries, typesOf(message), n) : null,
    before: shipped && weighted ? float32("row_weights", traits.row_weights, n) : null,
  };
}

/** What the kernel made of a stress last; null before the first. */
export function decodeWeighed(
  { n_rows, shipped }: TableMessage,
  traits: Pick<TableTraits, "weighed" | "weighed_weights">,
): Weighed | null {
  const message = weighedMessage(traits.weighed ?? {}, "weighed");
  if (!message) return null;
  const weights =
    shipped && !message.error ? float32("weighed_weights", traits.weighed_weights, n_rows) : null;
  return { ...message, weights };
}

/** The rows the kernel listed last; null before the first. */
export function decodeListed(
  message: TableMessage,
  traits: Pick<TableTraits, "listed" | "window">,
): Listed | null {
  const found = listedMessage(traits.listed ?? {}, "listed");
  if (!found) return null;
  const all = columnsOf("window", traits.window, ["u4", "f4", "f4", ...typesOf(message)], found.n_sent);
  const [places, before, after, ...columns] = all;
  return { ...found, places, before, after, columns } as Listed;
}

/** The rows the kernel drew last for the scatter; null before the first. */
export function decodeSampled(
  message: TableMessage,
  traits: Pick<TableTraits, "sampled" | "sample" | "sample_weights">,
): Sampled | null {
  const drawn = sampledMessage(traits.sampled ?? {}, "sampled");
  if (!drawn) return null;
  const all = columnsOf("sample", traits.sample, ["u4", "f4", ...typesOf(message)], drawn.n_sent);
  const [rows, before, ...columns] = all;
  const after = drawn.stressed ? float32("sample_weights", traits.sample_weights, drawn.n_sent) : null;
  return { ...drawn, rows, before, after, columns } as Sampled;
}
