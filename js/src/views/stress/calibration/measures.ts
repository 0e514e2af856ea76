/** Every measure: as tested, under the stress, what it changed, and how far groups are apart. */

import { html, setText } from "../../../marks/element";
import { type QuantityFormat, quantityFormat, UNDEFINED } from "../../../theme/formats";
import { LEVELS, type Level } from "../../../wire/reasons";
import type { CalibrationMessage, Measured, MeasureMessage } from "../../../wire/stress/calibration";
import type { Part } from "../../shared/part";
import { markLevel } from "../../shared/reliability";
import { capitalize } from "../../shared/words";
import { rangeWords, type State } from "./state";

export interface MeasureFormat {
  readonly value: (value: number) => string;
  readonly bare: (value: number) => string;
  readonly change: (value: number) => string;
}

const barely = (words: string) => words.replace(" points", "");

/** Write a measure by the narrowest interval that is known of it, so that decimals hold for all groups. */
export function measureFormat(
  { kind }: MeasureMessage,
  rows: readonly (Measured | undefined)[],
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

function createNumber(attributes = {}) {
  const [value, range] = [html("b"), html("span", { class: "ts-quiet" })];
  const element = html("td", { class: "ts-number", ...attributes }, value, " ", range);
  return {
    element,
    update(words: string, lower: string, upper: string) {
      setText(value, words);
      setText(range, words === UNDEFINED ? "" : rangeWords(lower, upper));
    },
  };
}

function createLine(head: string, testid: string, kind: MeasureMessage["kind"]) {
  const [ideal, trust] = [html("span", { class: "ts-quiet" }), html("span", { class: "ts-trust" })];
  const before = createNumber({ class: "ts-number ts-was" });
  const now = createNumber({ "data-testid": testid });
  const change = createNumber({ class: "ts-number ts-was", "data-testid": `${testid}-change` });
  const name = html("th", { scope: "row" }, head, ideal, trust);
  return {
    element: html("tr", {}, name, before.element, now.element, change.element),
    update(row: Measured, { value, bare, change: signed }: MeasureFormat) {
      before.update(value(row.before), bare(row.before_lower), bare(row.before_upper));
      now.update(value(row.value), bare(row.lower), bare(row.upper));
      change.update(signed(row.change), barely(signed(row.change_lower)), barely(signed(row.change_upper)));
      const level = LEVELS.indexOf(row.level) as Level;
      setText(ideal, `${kind === "share" ? value(row.if_calibrated) : row.if_calibrated} if calibrated`);
      setText(trust, row.why || row.level);
      markLevel(trust, level);
      now.element.classList.toggle("ts-is-wide", level === 1);
      now.element.classList.toggle("ts-is-unreliable", level === 2);
    },
  };
}

export function createMeasures(message: CalibrationMessage): Part<State> {
  const { measures, groups, by, confidence } = message;
  const bodies = measures.map(({ name, label, kind }) => {
    const lines = groups.map((group) =>
      createLine(group || capitalize(label), by ? `${name}-${group}` : name, kind),
    );
    const title = html("tr", {}, html("th", { scope: "rowgroup", colspan: 4 }, capitalize(label)));
    const words = html("th", { scope: "row" });
    const gap = createNumber({ "data-testid": "gap", colspan: 2 });
    const last = html("tr", { class: "ts-gap" }, words, html("td", { class: "ts-was" }), gap.element);
    const element = html("tbody", {}, ...(by ? [title] : []), ...lines.map((line) => line.element));
    if (groups.length > 1 && name !== "expected_calibration_error") element.append(last);
    return { element, lines, words, gap };
  });
  const [under, head] = [
    html("th", { scope: "col" }),
    (words: string, more = {}) => html("th", { scope: "col", ...more }, words),
  ];
  const percent = `(${Number((100 * confidence).toPrecision(6))}\u00a0%)`;
  const was = { class: "ts-was" };
  const table = html(
    "table",
    { class: "ts-measures", "data-testid": "measures" },
    html(
      "thead",
      {},
      html("tr", {}, head(by || "measure"), head("as tested", was), under, head("change", was)),
    ),
    ...bodies.map(({ element }) => element),
  );
  return {
    element: html("section", {}, html("h3", {}, "Measures"), table),
    update({ now, late }) {
      table.classList.toggle("ts-unmoved", !now.moved);
      table.classList.toggle("ts-is-stale", late);
      setText(under, `${now.moved ? "under the stress" : "as tested"} ${percent}`);
      bodies.forEach(({ lines, words, gap }, j) => {
        const rows = now.groups.map((group) => group.measures[j]);
        const format = measureFormat(measures[j] as MeasureMessage, rows);
        lines.forEach((line, g) => {
          const row = rows[g];
          line.element.hidden = row === undefined;
          if (row) line.update(row, format);
        });
        const found = now.gaps.find(({ measure }) => measure === j);
        setText(words, found ? `${groups[found.largest]} − ${groups[found.smallest]}` : "gap");
        const bare = (value: number) => barely(format.change(value));
        gap.update(
          format.change(found?.gap ?? Number.NaN),
          bare(found?.lower ?? Number.NaN),
          bare(found?.upper ?? Number.NaN),
        );
      });
    },
  };
}
