/** The rows that a page can reweight: standardised columns, what τ means for each, and the rows' own weights. */

import { float32, float32Columns, rowsOf } from "./buffers";
import { type ColumnMessage, columnsMessage, type JointStressViewTraits } from "./messages";
import { WireError } from "./schema";

export type ColumnsTraits = Pick<JointStressViewTraits, "columns_message" | "columns" | "row_weights">;

export type Columns = ReturnType<typeof decodeColumns>;

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

function checkScale(column: ColumnMessage, place: number): void {
  const { sd, low, mean, high } = column;
  if (sd > 0 && low < mean && mean < high) return;
  throw new WireError(
    `"columns_message.features[${place}]" needs sd > 0 and low < mean < high, received ${JSON.stringify(column)}`,
  );
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeColumns(traits: ColumnsTraits) {
  const message = columnsMessage(traits.columns_message, "columns_message");
  const { features, n_rows: n } = message;
  features.forEach(checkScale);
  const sizes = message.shipped ? features.map(({ n_values }) => n_values) : [];
  const values = float32Columns("columns", traits.columns, sizes, n);
  const weights = float32("row_weights", traits.row_weights, message.shipped && message.weighted ? n : 0);
  const base = weights.length > 0 ? Float64Array.from(weights) : null;
  const column = rowsOf(values, n);
  return {
    message,
    /** Standardised values of a feature, one per row, NaN where there is none. Empty if not shipped. */
    column,
    /** Mean of each standardised column; 0 but for rounding. */
    centre: Float64Array.from(features, (_, feature) => meanOf(column(feature), base)),
    /** Weights without stress, mean 1; null where all rows count alike. */
    base,
    /** Position of a feature by its name. */
    place: new Map(features.map(({ name }, feature) => [name, feature])),
  };
}
