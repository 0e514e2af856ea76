/** What the model answered and what was true, row by row, as every metric of the task is made of it. */

import { type Bytes, float32 } from "../buffers";
import { metricKind } from "../metric";
import {
  type Infer,
  list,
  notEmpty,
  nullAs,
  nullable,
  number,
  numbers,
  object,
  oneOf,
  optional,
  refined,
  text,
  texts,
  WireError,
} from "../schema";
import { estimateMessage } from "./estimate";

const outcomeMetric = object({
  name: text,
  label: text,
  kind: metricKind,
  /** How it follows from sums over the rows; see `tauscope.stress.metrics`. Those by rows only the kernel answers. */
  form: oneOf("ratio", "mean_ratio", "mean", "variance", "root_mean", "by_rows"),
  /** What a row of each cell adds above and below the line of a ratio, or of several one after the other; else empty. */
  top: numbers,
  bottom: numbers,
  /** Which power a value is made of; -1 for a ratio. */
  power: number,
  centre: number,
  /** What one unit of the influence is worth in the metric's own unit. */
  unit: number,
  /** Where its interval is symmetric. */
  scale: oneOf("logit", "log", "complement", "plain"),
  /** Of a spread, the Pareto k̂ of the squares that it is the mean of over all rows; else 0. */
  tail: nullAs(Infinity, number),
  /** Of a loss what makes it up: its errors, then rows of either class; by cell 0 or 1, or the squares of a power. */
  counted: optional(list(object({ cells: numbers, power: number })), []),
  /** What it calls the rows it counts, and those it does not. */
  events: texts,
});
export type OutcomeMetric = Infer<typeof outcomeMetric>;

const confusionMessage = object({
  /** The true classes, or whether the prediction is true. */
  rows_are: oneOf("truth", "right"),
  rows: texts,
  /** Classes predicted. */
  columns: texts,
  /** Of each cell its place in the matrix, row by row. */
  place: numbers,
  /** What the kernel says of each place, where the rows are not here: rows there, their share of all as tested. */
  in_kernel: optional(nullable(object({ n_rows: numbers, unstressed: list(estimateMessage) })), null),
});
export type ConfusionMessage = Infer<typeof confusionMessage>;

export const outcomesMessage = refined(
  object({
    n_cells: number,
    n_powers: number,
    confusion: optional(nullable(confusionMessage), null),
    metrics: notEmpty(list(outcomeMetric), "name at least one metric"),
  }),
  ({ n_cells, n_powers, metrics }, where) => {
    const fits = ({ form, top, bottom, power }: OutcomeMetric) =>
      top.length > 0
        ? top.length % n_cells === 0 &&
          bottom.length === top.length &&
          (form !== "ratio" || top.length === n_cells)
        : form === "by_rows" || (power >= 0 && power < n_powers);
    const odd = metrics.findIndex((metric) => !fits(metric));
    if (odd >= 0) throw new WireError(`"${where}.metrics[${odd}]" names cells or powers that are not there`);
  },
);
export type OutcomesMessage = Infer<typeof outcomesMessage>;

export interface Outcomes {
  readonly metrics: readonly OutcomeMetric[];
  readonly nCells: number;
  /** Which cell each row is in. */
  readonly cell: Int32Array;
  /** Real quantities, centred and scaled. */
  readonly powers: readonly Float32Array[];
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
