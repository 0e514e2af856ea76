/** All pooled weights as a table: what the bars cannot say exactly. */

import type { TableContent } from "../../../marks/data_table";
import { count } from "../../../theme/formats";
import type { PooledData, Weights } from "../../../wire/boundary/pooled";
import type { DerivedView } from "./derive_view";
import { coverageWords, endsWords, ordered, weightWords } from "./words";

export function tableOf(data: PooledData, view: DerivedView): TableContent {
  const { message, before } = data;
  const shown = view.now ?? before;
  const parted = message.parted.length > 0;
  const cells = (weights: Weights, at: number) => [
    weightWords(weights.value[at] as number),
    endsWords(weights, at),
  ];
  const columns = [
    "feature",
    ...(view.now ? ["without the stress"] : []),
    "pooled",
    "interval",
    ...(parted ? ["from rows that have it", "interval", "from rows that do not", "interval"] : []),
    "rows with it",
  ];
  const rows = ordered(data, view, view.state.order).map((at) => [
    message.features[at] as string,
    ...(view.now ? [weightWords(before.direction.value[at] as number)] : []),
    ...cells(shown.direction, at),
    ...(parted ? [...cells(shown.present, at), ...cells(shown.absent, at)] : []),
    count(message.n_present[at] as number),
  ]);
  const of = view.now ? view.population.words : "the data as they are";
  return { caption: `${message.axis}; ${of}. ${coverageWords(message, view)}.`, columns, rows };
}
