/** Every metric at the thresholds chosen: as tested, under the stress, and how far groups are apart. */

import { html, setText } from "../../../marks/element";
import { columnHead, rowHead } from "../../../marks/table";
import type { QuantityFormat } from "../../../theme/formats";
import type { ThresholdsMessage } from "../../../wire/stress/thresholds";
import { createEstimate, createEstimateTable, showTrust } from "../../shared/estimates";
import type { Part } from "../../shared/part";
import { intervalWords } from "../../shared/words";
import { cellOf, differenceOf, type State } from "./state";

function createLine(head: string, testid: string) {
  const trust = html("td", { class: "ts-trust" });
  const was = html("td", { class: "ts-number ts-was" });
  const now = createEstimate({ "data-testid": testid });
  const element = html("tr", {}, rowHead(head), was, now.element, trust);
  return { element, was, now, trust };
}

export function createMetrics(
  message: ThresholdsMessage,
  formats: (state: State) => readonly QuantityFormat[],
): Part<State> {
  const table = createEstimateTable(message, {
    testid: "metrics",
    rows: message.metrics,
    heads: ["metric", columnHead("reliability")],
    createLine,
    isGap: () => true,
  });
  return {
    element: html("section", {}, html("h3", {}, "At this threshold"), table.element),
    update(state) {
      const every = formats(state);
      table.update(state);
      table.bodies.forEach(({ lines, gap }, j) => {
        const { value: write, bare, change } = every[j] as QuantityFormat;
        lines.forEach(({ was, now, trust }, group) => {
          const { before, value, lower, upper, level, why } = cellOf(state, group, j);
          setText(was, write(before));
          now.show(write(value), intervalWords(bare(lower), bare(upper)));
          now.judge(level);
          showTrust(trust, level, why);
        });
        gap?.update(differenceOf(state, j), change);
      });
    },
  };
}
