/** What the model answered and what was true, row by row, as every index of the task is made of it. */

import { type Bytes, float32 } from "../buffers";
import { list, number, oneOf, record, text } from "../fields";
import { WireError } from "../wire_error";

/** How an index follows from sums over the rows; see `tauscope.stress.indices`. */
export type Form = "ratio" | "mean" | "variance" | "root_mean";

export interface OutcomeIndex {
  readonly name: string;
  readonly label: string;
  readonly kind: "share" | "value";
  readonly form: Form;
  /** Cells in the numerator and the denominator of a ratio, 0 or 1 each; else empty. */
  readonly top: readonly number[];
  readonly bottom: readonly number[];
  /** Which power a value is made of; -1 for a ratio. */
  readonly power: number;
  readonly centre: number;
  /** What one unit of the influence is worth in the index's own unit. */
  readonly unit: number;
  /** Where its interval is symmetric. */
  readonly scale: "logit" | "log" | "plain";
}

export interface OutcomesMessage {
  readonly n_cells: number;
  readonly n_powers: number;
  readonly indices: readonly OutcomeIndex[];
}

export interface Outcomes {
  readonly indices: readonly OutcomeIndex[];
  readonly nCells: number;
  /** Which cell each row is in. */
  readonly cell: Int32Array;
  /** Real quantities, centred and scaled. */
  readonly powers: readonly Float32Array[];
}

function checkIndex(value: unknown, where: string, nCells: number, nPowers: number): OutcomeIndex {
  const index = record(value, where);
  const cells = (name: string) =>
    list(index[name], `${where}.${name}`).map((one) => number(one, `${where}.${name}`));
  const found: OutcomeIndex = {
    name: text(index.name, `${where}.name`),
    label: text(index.label, `${where}.label`),
    kind: oneOf(index.kind, `${where}.kind`, ["share", "value"]),
    form: oneOf(index.form, `${where}.form`, ["ratio", "mean", "variance", "root_mean"]),
    top: cells("top"),
    bottom: cells("bottom"),
    power: number(index.power, `${where}.power`),
    centre: number(index.centre, `${where}.centre`),
    unit: number(index.unit, `${where}.unit`),
    scale: oneOf(index.scale, `${where}.scale`, ["logit", "log", "plain"]),
  };
  const fits =
    found.form === "ratio"
      ? found.top.length === nCells && found.bottom.length === nCells
      : found.power >= 0 && found.power < nPowers;
  if (!fits) throw new WireError(`"${where}" names cells or powers that are not there`);
  return found;
}

export function checkOutcomesMessage(value: unknown): OutcomesMessage {
  const message = record(value, "outcomes");
  const nCells = number(message.n_cells, "outcomes.n_cells");
  const nPowers = number(message.n_powers, "outcomes.n_powers");
  const indices = list(message.indices, "outcomes.indices").map((index, k) =>
    checkIndex(index, `outcomes.indices[${k}]`, nCells, nPowers),
  );
  if (indices.length === 0)
    throw new WireError('"outcomes.indices" must name at least one index, received none');
  return { n_cells: nCells, n_powers: nPowers, indices };
}

/** Rows' cells and powers from float32 [cell, power, …][row]; none where nothing was shipped. */
export function decodeOutcomes(message: OutcomesMessage, bytes: Bytes, nRows: number): Outcomes {
  const values = float32("answers", bytes, (1 + message.n_powers) * nRows);
  const row = (k: number) => values.subarray(k * nRows, (k + 1) * nRows);
  return {
    indices: message.indices,
    nCells: message.n_cells,
    cell: Int32Array.from(row(0)),
    powers: Array.from({ length: message.n_powers }, (_, k) => row(k + 1)),
  };
}
