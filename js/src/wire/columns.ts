/** The rows that a page can reweight: standardised columns, what τ means for each, and the rows' own weights. */

import { type Bytes, float32, float32Columns } from "./buffers";
import {
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  refined,
  text,
  version,
  WireError,
} from "./schema";

const columnMessage = refined(
  object({
    name: text,
    column: text,
    level: nullable(text),
    kind: oneOf("numeric", "share"),
    integer: flag,
    /** "year" for dates as decimal years, "days" for durations; else "". */
    unit: optional(text, ""),
    /** Mean and standard deviation of the rows with a value, in the feature's unit. */
    mean: number,
    sd: number,
    /** The means that τ = -1 and τ = 1 stand for. */
    low: number,
    high: number,
    n_missing: number,
    /** The feature that is the share of its rows without a value; null where there is none, and for shares. */
    missing: nullable(text),
    /** How many different values the column is sent by; 0 where each row's own is sent. */
    n_values: optional(number, 0),
    /** Whether its mean stays, where others' means shall, unless a feature of its own column is moved. */
    held: flag,
    note_low: text,
    note_high: text,
  }),
  (column, where) => {
    const { sd, low, mean, high } = column;
    if (sd > 0 && low < mean && mean < high) return;
    throw new WireError(`"${where}" needs sd > 0 and low < mean < high, received ${JSON.stringify(column)}`);
  },
);
export type ColumnMessage = Infer<typeof columnMessage>;

const columnsMessage = object({
  version: version(1, "columns"),
  n_rows: number,
  features: list(columnMessage),
  /** Whether the rows have weights of their own. */
  weighted: flag,
  /** False where the columns are past the page's budget: then the kernel answers. */
  shipped: flag,
});
export type ColumnsMessage = Infer<typeof columnsMessage>;

export type ColumnsTraits = {
  columns_message: unknown;
  columns: Bytes;
  row_weights: Bytes;
};

export interface Columns {
  readonly message: ColumnsMessage;
  /** Standardised values of a feature, one per row, NaN where there is none. Empty if not shipped. */
  readonly column: (feature: number) => Float32Array;
  /** Mean of each standardised column; 0 but for rounding. */
  readonly centre: Float64Array;
  /** Weights without stress, mean 1; null where all rows count alike. */
  readonly base: Float64Array | null;
  /** Position of a feature by its name. */
  readonly place: ReadonlyMap<string, number>;
}

function meanOf(column: Float32Array, base: Float64Array | null): number {
  let [total, size] = [0, 0];
  for (let i = 0; i < column.length; i++) {
    const z = column[i] as number;
    if (Number.isNaN(z)) continue;
    const w = base ? (base[i] as number) : 1;
    total += w * z;
    size += w;
  }
  return size > 0 ? total / size : 0;
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeColumns(traits: ColumnsTraits): Columns {
  const message = columnsMessage(traits.columns_message, "columns_message");
  const { features, n_rows: n } = message;
  const sizes = message.shipped ? features.map(({ n_values }) => n_values) : [];
  const values = float32Columns("columns", traits.columns, sizes, n);
  const weights = float32("row_weights", traits.row_weights, message.shipped && message.weighted ? n : 0);
  const base = weights.length > 0 ? Float64Array.from(weights) : null;
  const column = (feature: number) => values.subarray(feature * n, (feature + 1) * n);
  return {
    message,
    column,
    centre: Float64Array.from(features, (_, feature) => meanOf(column(feature), base)),
    base,
    place: new Map(features.map(({ name }, feature) => [name, feature])),
  };
}
