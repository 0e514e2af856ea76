/** What the model answered and what was true, row by row, as every metric of the task is made of it. */

import { type Bytes, float32, rowsOf } from "../buffers";
import type { OutcomeMetricMessage, OutcomesMessage } from "../messages";
import { WireError } from "../schema";

export function checkOutcomes({ n_cells, n_powers, metrics }: OutcomesMessage): void {
  const fits = ({ form, top, bottom, power }: OutcomeMetricMessage) =>
    top.length > 0
      ? top.length % n_cells === 0 &&
        bottom.length === top.length &&
        (form !== "ratio" || top.length === n_cells)
      : form === "by_rows" || (power >= 0 && power < n_powers);
  const odd = metrics.findIndex((metric) => !fits(metric));
  if (odd >= 0) throw new WireError(`"outcomes.metrics[${odd}]" names cells or powers that are not there`);
}

export interface Outcomes {
  readonly metrics: readonly OutcomeMetricMessage[];
  readonly nCells: number;
  /** Which cell each row is in. */
  readonly cell: Int32Array;
  /** Real quantities, centred and scaled. */
  readonly powers: readonly Float32Array[];
}

/** Rows' cells and powers from float32 [cell, power, …][row]; none where nothing was shipped. */
export function decodeOutcomes(message: OutcomesMessage, bytes: Bytes, nRows: number): Outcomes {
  const row = rowsOf(float32("answers", bytes, (1 + message.n_powers) * nRows), nRows);
  return {
    metrics: message.metrics,
    nCells: message.n_cells,
    cell: Int32Array.from(row(0)),
    powers: Array.from({ length: message.n_powers }, (_, k) => row(k + 1)),
  };
}
