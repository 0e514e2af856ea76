/** The message of a joint stress view checked once, then only read. */

import { float32 } from "../buffers";
import { type Columns, type ColumnsTraits, decodeColumns } from "../columns";
import { type JointStressMessage, type JointStressViewTraits, jointStressMessage } from "../messages";
import { WireError } from "../schema";
import { checkOutcomes, decodeOutcomes, type Outcomes } from "./outcomes";

export type TauEnds = JointStressMessage["ends"];

export interface JointStress {
  readonly message: JointStressMessage;
  readonly columns: Columns;
  /** Null where the rows are not here and the kernel answers. */
  readonly outcomes: Outcomes | null;
}

function checkLengths({ message, columns }: Omit<JointStress, "outcomes">): void {
  const features = columns.message.features.length;
  const { edges, histograms, unstressed, outcomes } = message;
  const bins = (k: number) => Math.max(0, (edges[k]?.length ?? 0) - 1);
  if (edges.length !== features) {
    throw new WireError(
      `"edges" must have one entry for each of ${features} features, received ${edges.length}`,
    );
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
  traits: ColumnsTraits & Pick<JointStressViewTraits, "message" | "answers">,
): JointStress {
  const message = jointStressMessage(traits.message, "message");
  const columns = decodeColumns(traits);
  checkLengths({ message, columns });
  checkOutcomes(message.outcomes);
  const { shipped, n_rows } = columns.message;
  if (!shipped) float32("answers", traits.answers, 0);
  const outcomes = shipped ? decodeOutcomes(message.outcomes, traits.answers, n_rows) : null;
  return { message, columns, outcomes };
}
