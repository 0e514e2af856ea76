/** A group of rows in a table: its share of the rows and how many count, and a metric as tested and now. */

import { html, setText } from "../../marks/element";
import { rowHead } from "../../marks/table";
import { count, type QuantityFormat, quantityFormat } from "../../theme/formats";
import type { Interval } from "../../wire/buffers";
import { type Judged, LEVELS, levelOf, type Reasons } from "../../wire/reasons";
import { type Events, markLevel, markNumber, RELIABLE } from "./reliability";
import { intervalWords } from "./words";

const share = quantityFormat("share", 0.3);

export interface GroupNow {
  /** Share of all weight as tested; NaN where that is what is shown. */
  readonly before: number;
  readonly now: number;
  readonly ess: number;
}

/** @param nRows counted once, whatever their weight */
export function createGroupHead(label: string, nRows: number) {
  const population = html("div", { class: "ts-quiet ts-number" });
  const effective = html("div", { class: "ts-quiet ts-number" });
  return {
    element: rowHead(html("span", {}, label), population, effective),
    /** @param none there is no population */
    update({ before, now, ess }: GroupNow, none = false) {
      const [was, is] = share.pair(before, now);
      setText(population, `${Number.isNaN(before) ? "" : `${was} → `}${none ? "none" : is} of rows`);
      setText(effective, none ? "–" : `${count(ess)} of ${count(nRows)} effective`);
    },
  };
}

export function createGroupCell(reasons: Reasons, events: Events, { bare, pair }: QuantityFormat) {
  const before = html("span", { class: "ts-quiet" });
  const value = html("b");
  const interval = html("div", { class: "ts-quiet" });
  const trust = html("div");
  const element = html("td", {}, before, value, interval, trust);
  return {
    element,
    /** @param tested as tested; NaN where that is what is shown */
    update(tested: number, now: Judged & Interval, none = false) {
      const judged = none ? RELIABLE : now;
      const level = levelOf(reasons, judged.reason);
      const [was, is] = pair(tested, now.value);
      setText(before, Number.isNaN(tested) ? "" : `${was} → `);
      setText(value, none ? "none" : is);
      setText(interval, none ? "–" : intervalWords(bare(now.lower), bare(now.upper)));
      setText(trust, level > 0 ? LEVELS[level] : "");
      markLevel(trust, level);
      markNumber(element, reasons, events, judged);
    },
  };
}
