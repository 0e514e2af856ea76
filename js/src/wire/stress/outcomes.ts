/** What the model answered and what was true, row by row, as every metric of the task is made of it. */

import { type Bytes, float32 } from "../buffers";
import { list, number, oneOf, record, text } from "../fields";
import { WireError } from "../wire_error";

/** How a metric follows from sums over the rows; see `tauscope.stress.metrics`. */
export type Form = "ratio" | "mean" | "variance" | "root_mean";

export interface OutcomeMetric {
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
  /** What one unit of the influence is worth in the metric's own unit. */
  readonly unit: number;
  /** Where its interval is symmetric. */
  readonly scale: "logit" | "log" | "plain";
}

export interface OutcomesMessage {
  readonly n_cells: number;
  readonly n_powers: number;
  readonly metrics: readonly OutcomeMetric[];
}

export interface Outcomes {
  readonly metrics: readonly OutcomeMetric[];
  readonly nCells: number;
  /** Which cell each row is in. */
  readonly cell: Int32Array;
  /** Real quantities, centred and scaled. */
  readonly powers: readonly Float32Array[];
}

function checkMetric(value: unknown, where: string, nCells: number, nPowers: number): OutcomeMetric {
  const metric = record(value, where);
  const cells = (name: string) =>
    list(metric[name], `${where}.${name}`).map((one) => number(one, `${where}.${name}`));
  const found: OutcomeMetric = {
    name: text(metric.name, `${where}.name`),
    label: text(metric.label, `${where}.label`),
    kind: oneOf(metric.kind, `${where}.kind`, ["share", "value"]),
    form: oneOf(metric.form, `${where}.form`, ["ratio", "mean", "variance", "root_mean"]),
    top: cells("top"),
    bottom: cells("bottom"),
    power: number(metric.power, `${where}.power`),
    centre: number(metric.centre, `${where}.centre`),
    unit: number(metric.unit, `${where}.unit`),
    scale: oneOf(metric.scale, `${where}.scale`, ["logit", "log", "plain"]),
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
  const metrics = list(message.metrics, "outcomes.metrics").map((metric, k) =>
    checkMetric(metric, `outcomes.metrics[${k}]`, nCells, nPowers),
  );
  if (metrics.length === 0)
    throw new WireError('"outcomes.metrics" must name at least one metric, received none');
  return { n_cells: nCells, n_powers: nPowers, metrics };
}

/** Rows' cells and powers from float32 [cell, power, …][row]; none where nothing was shipped. */
export function decodeOutcomes(message: OutcomesMessage, bytes: Bytes, nRows: number): Outcomes {
  const values = float32("answers", bytes, (1 + message.n_powers) * nRows);
  const row = (k: number) => values.subarray(k * nRows, (k + 1) * nRows);
  return {
    metrics: message.metrics,
    nCells: message.n_cells,
    cell: Int32Array.from(row(0)),
    powers: Array.from({ length: message.n_powers }, (_, k) => row(k + 1)),
  };
}
