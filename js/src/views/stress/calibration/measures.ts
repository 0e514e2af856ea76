/** Every measure: as tested, under the stress, what it changed, and how far groups are apart. */

import { html, setText } from "../../../marks/element";
import { columnHead, rowHead } from "../../../marks/table";
import { type QuantityFormat, quantityFormat } from "../../../theme/formats";
import type {
  CalibrationMeasuredMessage,
  CalibrationMeasureMessage,
  CalibrationMessage,
} from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { createEstimate, createEstimateTable, rangeWords, showTrust } from "../../shared/estimates";
import type { Part } from "../../shared/part";
import { barely } from "../../shared/words";
import type { State } from "./state";

export interface MeasureFormat {
  readonly value: (value: number) => string;
  readonly bare: (value: number) => string;
  readonly change: (value: number) => string;
}

/** Write a measure by the narrowest interval that is known of it, so that decimals hold for all groups. */
export function measureFormat(
  { kind }: CalibrationMeasureMessage,
  rows: readonly (CalibrationMeasuredMessage | undefined)[],
): MeasureFormat {
  const widths = rows.map((row) => (row ? row.upper - row.lower : Number.NaN)).filter((width) => width > 0);
  const format: QuantityFormat = quantityFormat(
    kind === "value" ? "value" : "share",
    widths.length ? Math.min(...widths) : 1,
    1,
  );
  const { change } = format;
  if (kind === "points") return { value: change, bare: (value) => barely(change(value)), change };
  return { value: format.value, bare: format.bare, change };
}

const WAS = { class: "ts-number ts-was" };

function createLine(head: string, testid: string, kind: CalibrationMeasureMessage["kind"]) {
  const [ideal, trust] = [html("span", { class: "ts-quiet" }), html("span", { class: "ts-trust" })];
  const before = createEstimate(WAS);
  const now = createEstimate({ "data-testid": testid });
  const change = createEstimate({ ...WAS, "data-testid": `${testid}-change` });
  const name = rowHead(head, ideal, trust);
  return {
    element: html("tr", {}, name, before, now, change),
    update(row: CalibrationMeasuredMessage, { value, bare, change: signed }: MeasureFormat) {
      before.show(value(row.before), rangeWords(bare(row.before_lower), bare(row.before_upper)));
      now.show(value(row.value), rangeWords(bare(row.lower), bare(row.upper)));
      const [lower, upper] = [row.change_lower, row.change_upper].map((end) => barely(signed(end)));
      change.show(signed(row.change), rangeWords(lower as string, upper as string));
      const level = LEVELS.indexOf(row.level) as Level;
      setText(ideal, `${kind === "share" ? value(row.if_calibrated) : row.if_calibrated} if calibrated`);
      showTrust(trust, level, row.why);
      now.judge(level);
    },
  };
}

export function createMeasures(message: CalibrationMessage): Part<State> {
  const { measures } = message;
  const kindOf = (j: number) => (measures[j] as CalibrationMeasureMessage).kind;
  const table = createEstimateTable(message, {
    testid: "measures",
    attributes: { class: "ts-estimates ts-measures" },
    rows: measures,
    heads: ["measure", columnHead("change", { class: "ts-was" })],
    createLine: (head, testid, j) => createLine(head, testid, kindOf(j)),
    isGap: (j) => measures[j]?.name !== "expected_calibration_error",
  });
  return {
    element: html("section", {}, html("h3", {}, "Measures"), table),
    update(state) {
      const { groups, gaps } = state.now;
      table.update(state);
      table.bodies.forEach(({ lines, gap }, j) => {
        const rows = groups.map((group) => group.measures[j]);
        const format = measureFormat(measures[j] as CalibrationMeasureMessage, rows);
        lines.forEach((line, g) => {
          const row = rows[g];
          line.element.hidden = row === undefined;
          if (row) line.update(row, format);
        });
        const found = gaps.find(({ measure }) => measure === j);
        gap?.update(found ? { ...found, value: found.gap } : null, format.change);
      });
    },
  };
}
