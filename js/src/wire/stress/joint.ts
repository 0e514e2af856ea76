/** The message of a joint stress view checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import { type Columns, type ColumnsTraits, decodeColumns } from "../columns";
import { reasonMessages } from "../reasons";
import {
  ascending,
  flag,
  type Infer,
  list,
  nullAs,
  number,
  numbers,
  object,
  text,
  version,
  WireError,
} from "../schema";
import { estimateMessage } from "./estimate";
import { decodeOutcomes, type Outcomes, outcomesMessage } from "./outcomes";

/** How a mean that τ stands for follows the rows. */
const tauEnd = object({
  /** How fast the end moves with its level, in the feature's unit per unit of probability; 0 for a fixed one. */
  slope: number,
  /** How far the end moves when the mean moves by one; 0 but for a rare one of two values. */
  follows: number,
  /** Whether other rows might put it elsewhere. */
  in_doubt: flag,
});

const jointStressMessage = object({
  version: version(1),
  title: text,
  confidence: number,
  /** What the intervals are, in words. */
  interval: text,
  ess: number,
  pareto_k: nullAs(Infinity, number),
  /** Each metric of the rows as they are. */
  unstressed: list(estimateMessage),
  /** By feature. */
  ends: list(object({ low: tauEnd, high: tauEnd })),
  /** Edges of each feature's histogram, empty for a share. */
  edges: list(ascending),
  /** Whether the first and the last bin of each hold all rows beyond. */
  open_ends: list(list(flag)),
  /** Shares of the rows as they are per bin. */
  histograms: list(numbers),
  skipped: list(object({ name: text, reason: text })),
  reliability: reasonMessages,
  outcomes: outcomesMessage,
});
export type JointStressMessage = Infer<typeof jointStressMessage>;
export type TauEnds = JointStressMessage["ends"];

export type JointStressTraits = ColumnsTraits & {
  stress: unknown;
  metric: string;
  message: unknown;
  answers: Bytes;
  answer: unknown;
  ranges: unknown;
};

export interface JointStress {
  readonly message: JointStressMessage;
  readonly columns: Columns;
  /** Null where the rows are not here and the kernel answers. */
  readonly outcomes: Outcomes | null;
}

function checkLengths({ message, columns }: Omit<JointStress, "outcomes">): void {
  const features = columns.message.features.length;
  const { edges, open_ends, histograms, unstressed, outcomes, ends } = message;
  const bins = (k: number) => Math.max(0, (edges[k]?.length ?? 0) - 1);
  if (edges.length !== features || histograms.length !== features) {
    throw new WireError(
      `"edges" and "histograms" must have one entry for each of ${features} features, received ${edges.length} and ${histograms.length}`,
    );
  }
  for (const [name, { length }] of Object.entries({ ends, open_ends })) {
    if (length === features) continue;
    throw new WireError(`"${name}" must have one entry for each of ${features} features, received ${length}`);
  }
  if (histograms.some((bars, k) => bars.length !== bins(k))) {
    throw new WireError('each of "histograms" must have one share per bin of "edges"');
  }
  if (unstressed.length !== outcomes.metrics.length) {
    throw new WireError(
      `"unstressed" must have one entry for each of ${outcomes.metrics.length} metrics, received ${unstressed.length}`,
    );
  }
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeJointStress(
  traits: ColumnsTraits & Pick<JointStressTraits, "message" | "answers">,
): JointStress {
  const message = jointStressMessage(traits.message, "message");
  const columns = decodeColumns(traits);
  checkLengths({ message, columns });
  const { shipped, n_rows } = columns.message;
  if (!shipped) float32("answers", traits.answers, 0);
  const outcomes = shipped ? decodeOutcomes(message.outcomes, traits.answers, n_rows) : null;
  return { message, columns, outcomes };
}
