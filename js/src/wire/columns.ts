/** The rows that a page can reweight: standardised columns, what τ means for each, and the rows' own weights. */

import { type Bytes, float32 } from "./buffers";
import { flag, list, number, oneOf, record, text, versionOf } from "./fields";
import { WireError } from "./wire_error";

const VERSION = 1;

export interface ColumnMessage {
  readonly name: string;
  readonly column: string;
  readonly level: string | null;
  readonly kind: "numeric" | "share";
  readonly integer: boolean;
  /** Mean and standard deviation of the rows with a value, in the feature's unit. */
  readonly mean: number;
  readonly sd: number;
  /** The means that τ = -1 and τ = 1 stand for. */
  readonly low: number;
  readonly high: number;
  readonly n_missing: number;
  /** Whether its mean stays, where others' means shall, unless a feature of its own column is moved. */
  readonly held: boolean;
  readonly note_low: string;
  readonly note_high: string;
}

export interface ColumnsMessage {
  readonly version: typeof VERSION;
  readonly n_rows: number;
  readonly features: readonly ColumnMessage[];
  /** Whether the rows have weights of their own. */
  readonly weighted: boolean;
  /** False where the columns are past the page's budget: then the kernel answers. */
  readonly shipped: boolean;
}

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

function checkColumn(value: unknown, where: string): ColumnMessage {
  const column = record(value, where);
  const numbers = (name: string) => number(column[name], `${where}.${name}`);
  const found: ColumnMessage = {
    name: text(column.name, `${where}.name`),
    column: text(column.column, `${where}.column`),
    level: column.level === null ? null : text(column.level, `${where}.level`),
    kind: oneOf(column.kind, `${where}.kind`, ["numeric", "share"]),
    integer: flag(column.integer, `${where}.integer`),
    mean: numbers("mean"),
    sd: numbers("sd"),
    low: numbers("low"),
    high: numbers("high"),
    n_missing: numbers("n_missing"),
    held: flag(column.held, `${where}.held`),
    note_low: text(column.note_low, `${where}.note_low`),
    note_high: text(column.note_high, `${where}.note_high`),
  };
  if (!(found.sd > 0 && found.low < found.mean && found.mean < found.high)) {
    throw new WireError(`"${where}" needs sd > 0 and low < mean < high, received ${JSON.stringify(found)}`);
  }
  return found;
}

export function checkColumnsMessage(value: unknown): ColumnsMessage {
  const message = record(value, "columns_message");
  const version = versionOf(message.version, VERSION, "columns");
  return {
    version,
    n_rows: number(message.n_rows, "columns_message.n_rows"),
    features: list(message.features, "columns_message.features").map((feature, k) =>
      checkColumn(feature, `columns_message.features[${k}]`),
    ),
    weighted: flag(message.weighted, "columns_message.weighted"),
    shipped: flag(message.shipped, "columns_message.shipped"),
  };
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
  const message = checkColumnsMessage(traits.columns_message);
  const { features, n_rows: n } = message;
  const values = float32("columns", traits.columns, message.shipped ? features.length * n : 0);
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
