/** The study's rows as the kernel sends them: whole columns, or a window of those that a query finds. */

import { columnsOf, float32, type Numbers, uint32 } from "../buffers";
import {
  insideMessage,
  type RowTableViewTraits,
  type SampledMessage,
  sampledMessage,
  type TableListedMessage,
  type TableMessage,
  tableListedMessage,
  tableMessage,
  type WeighedMessage,
  weighedMessage,
} from "../messages";
import { unlessEmpty, WireError } from "../schema";

export type RowFilter = TableMessage["filters"][number];
export const FILTERS: readonly RowFilter[] = ["all", "errors", "near", "selected", "inside"];
export type Display = "table" | "scatter";

/** The rows that the kernel has drawn of those found, ascending, each column as long as they are many. */
export interface Sampled extends SampledMessage {
  readonly rows: Uint32Array;
  readonly before: Float32Array;
  /** Null without a stress. */
  readonly after: Float32Array | null;
  readonly columns: readonly Numbers[];
}

/** The population under one stress. */
export interface Weighed extends WeighedMessage {
  /** Of each row; null where the kernel lists the rows. */
  readonly weights: Float32Array | null;
}

/** A window of rows, each column as long as it. */
export interface Listed extends TableListedMessage {
  readonly places: Uint32Array;
  readonly before: Float32Array;
  readonly after: Float32Array;
  readonly columns: readonly Numbers[];
}

export type TableData = ReturnType<typeof decodeTable>;

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

/** The rule that rows can be inside of, in words, and those that are. */
export interface InsideRule {
  readonly words: string;
  readonly rows: ReadonlySet<number>;
}

/** What the rules shown beside offer; null where there are none. */
export function decodeInside(traits: Pick<RowTableViewTraits, "inside" | "inside_rows">): InsideRule | null {
  const message = unlessEmpty(insideMessage)(traits.inside ?? {}, "inside");
  if (!message) return null;
  return { ...message, rows: new Set(uint32("inside_rows", traits.inside_rows)) };
}

const typesOf = ({ columns }: TableMessage) => columns.map(({ type }) => type);

/** Message and buffers together, their lengths checked against each other. */
export function decodeTable(traits: Pick<RowTableViewTraits, (typeof DATA)[number]>) {
  const message = tableMessage(traits.message, "message");
  const { n_rows: n, shipped, weighted, columns } = message;
  if (new Set(columns.map(({ name }) => name)).size < columns.length) {
    throw new WireError('"columns" must have names of their own');
  }
  return {
    message,
    /** Null where the kernel lists the rows. */
    columns: shipped ? columnsOf("entries", traits.entries, typesOf(message), n) : null,
    /** Weights of the study; null where all rows count alike. */
    before: shipped && weighted ? float32("row_weights", traits.row_weights, n) : null,
  };
}

/** What the kernel made of a stress last; null before the first. */
export function decodeWeighed(
  { n_rows, shipped }: TableMessage,
  traits: Pick<RowTableViewTraits, "weighed" | "weighed_weights">,
): Weighed | null {
  const message = unlessEmpty(weighedMessage)(traits.weighed ?? {}, "weighed");
  if (!message) return null;
  const weights =
    shipped && !message.error ? float32("weighed_weights", traits.weighed_weights, n_rows) : null;
  return { ...message, weights };
}

/** The rows the kernel listed last; null before the first. */
export function decodeListed(
  message: TableMessage,
  traits: Pick<RowTableViewTraits, "listed" | "window">,
): Listed | null {
  const found = unlessEmpty(tableListedMessage)(traits.listed ?? {}, "listed");
  if (!found) return null;
  const all = columnsOf("window", traits.window, ["u4", "f4", "f4", ...typesOf(message)], found.n_sent);
  const [places, before, after, ...columns] = all;
  return { ...found, places, before, after, columns } as Listed;
}

/** The rows the kernel drew last for the scatter; null before the first. */
export function decodeSampled(
  message: TableMessage,
  traits: Pick<RowTableViewTraits, "sampled" | "sample" | "sample_weights">,
): Sampled | null {
  const drawn = unlessEmpty(sampledMessage)(traits.sampled ?? {}, "sampled");
  if (!drawn) return null;
  const all = columnsOf("sample", traits.sample, ["u4", "f4", ...typesOf(message)], drawn.n_sent);
  const [rows, before, ...columns] = all;
  const after = drawn.stressed ? float32("sample_weights", traits.sample_weights, drawn.n_sent) : null;
  return { ...drawn, rows, before, after, columns } as Sampled;
}
