/** The message of a joint stress view checked once, then only read. */

import { NO_FEW } from "../../solve/stress/carriers";
import { float32, rowsOf } from "../buffers";
import { type ColumnsTraits, decodeColumns } from "../columns";
import {
  type JointNumbersMessage,
  type JointStressMessage,
  type JointStressViewTraits,
  jointAnswerMessage,
  jointNumbersMessage,
  jointStressMessage,
  type OutcomeMetricMessage,
  type OutcomesMessage,
} from "../messages";
import { type Bytes, checkCount, unlessEmpty, WireError } from "../schema";

const NO_NUMBERS = {
  ess: Number.NaN,
  kl: Number.NaN,
  tv: Number.NaN,
  pareto_k: Number.NaN,
  carriers: NO_FEW,
  achieved: [],
  estimates: [],
  confusion: [],
  histograms: [],
};

/** The kernel's answer to one stress, its arrays empty where it has no numbers; null while there is none. */
export function decodeAnswer(value: unknown): JointNumbersMessage | null {
  const head = unlessEmpty(jointAnswerMessage)(value, "answer");
  if (!head) return null;
  const solved = head.status === "solved" || head.status === "limit";
  return solved ? jointNumbersMessage(value, "answer") : { ...head, ...NO_NUMBERS };
}

/** What the model answered and what was true, row by row, as every metric of the task is made of it. */
function checkOutcomes({ n_cells, n_powers, metrics }: OutcomesMessage): void {
  const fits = ({ form, top, bottom, power }: OutcomeMetricMessage) =>
    top.length > 0
      ? top.length % n_cells === 0 &&
        bottom.length === top.length &&
        (form !== "ratio" || top.length === n_cells)
      : form === "by_rows" || (power >= 0 && power < n_powers);
  const odd = metrics.findIndex((metric) => !fits(metric));
  if (odd >= 0) throw new WireError(`"outcomes.metrics[${odd}]" names cells or powers that are not there`);
}

export type Outcomes = ReturnType<typeof decodeOutcomes>;

/** Rows' cells and powers from float32 [cell, power, …][row]; none where nothing was shipped. */
export function decodeOutcomes(message: OutcomesMessage, bytes: Bytes, nRows: number) {
  const row = rowsOf(float32("answers", bytes, (1 + message.n_powers) * nRows), nRows);
  return {
    metrics: message.metrics,
    nCells: message.n_cells,
    /** Which cell each row is in. */
    cell: Int32Array.from(row(0)),
    /** Real quantities, centred and scaled. */
    powers: Array.from({ length: message.n_powers }, (_, k) => row(k + 1)),
  };
}

export type TauEnds = JointStressMessage["ends"];

export type JointStress = ReturnType<typeof decodeJointStress>;

function checkLengths({ message, columns }: Omit<JointStress, "outcomes">): void {
  const features = columns.message.features.length;
  const { edges, histograms, unstressed, outcomes } = message;
  const bins = (k: number) => Math.max(0, (edges[k]?.length ?? 0) - 1);
  checkCount("edges", edges, features, "features");
  if (histograms.some((bars, k) => bars.length !== bins(k))) {
    throw new WireError('each of "histograms" must have one share per bin of "edges"');
  }
  checkCount("unstressed", unstressed, outcomes.metrics.length, "metrics");
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeJointStress(
  traits: ColumnsTraits & Pick<JointStressViewTraits, "message" | "answers">,
) {
  const message = jointStressMessage(traits.message, "message");
  const columns = decodeColumns(traits);
  checkLengths({ message, columns });
  checkOutcomes(message.outcomes);
  const { shipped, n_rows } = columns.message;
  if (!shipped) float32("answers", traits.answers, 0);
  const outcomes = shipped ? decodeOutcomes(message.outcomes, traits.answers, n_rows) : null;
  return {
    message,
    columns,
    /** Null where the rows are not here and the kernel answers. */
    outcomes,
  };
}
