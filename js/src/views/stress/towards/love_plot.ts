/** The love plot: how far each feature's mean is from the other population, before and at this amount. */

import { createButton } from "../../../marks/button";
import { createDataTable } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { count, type Formatter, featureFormat, span } from "../../../theme/formats";
import type { TargetPopulationMessage, TowardsFeatureMessage } from "../../../wire/messages";
import { createLoveRow, distanceFormat, limitFor } from "../../shared/love_row";
import type { Part } from "../../shared/part";
import { type State, stepOf } from "./state";

/** Rows before more are asked for. */
const MOST = 20;
/** Standard deviations past which two populations are usually called out of balance. */
const NOTABLE = 0.1;

function createRow({ name, smd }: TowardsFeatureMessage) {
  const [before, now] = [html("span", { class: "ts-number ts-quiet" }), html("span", { class: "ts-number" })];
  const numbers = html("span", { class: "ts-number" }, before, now);
  const { element, show } = createLoveRow(name, numbers, html("span", { class: "ts-way-ring" }));
  return {
    element,
    update(to: number, limit: number, written: Formatter) {
      setText(before, `${written(smd)} → `);
      show(smd, to, limit, NOTABLE);
      setText(now, written(to));
    },
  };
}

export function createLovePlot(message: TargetPopulationMessage, signal: AbortSignal): Part<State> {
  const { features, there } = message;
  const made: ReturnType<typeof createRow>[] = [];
  const list = html("ul", { class: "ts-love", "data-testid": "love" });
  const scale = html("p", { class: "ts-quiet ts-love-scale" });
  const more = createButton({ class: "ts-more", "data-testid": "more" }, [], signal, () => {
    const from = made.length;
    draw(features.length);
    show(from);
  });
  let shown: State | null = null;
  let limit = 1;
  let written = distanceFormat(limit);
  const table = createDataTable("Every feature as a table", signal, () => ({
    caption: `Means, and how far they are from those of ${there}, in standard deviations`,
    columns: ["feature", "as tested", "here", "there", "distance as tested", "distance here"],
    rows: features.map((about, k) => {
      const now = shown ? stepOf(shown).balance[k] : undefined;
      const { value } = featureFormat(about, span([about.before, about.there, now?.mean ?? Number.NaN]));
      const means = [about.before, now?.mean ?? Number.NaN, about.there].map(value);
      return [about.name, ...means, written(about.smd), written(now?.smd ?? Number.NaN)];
    }),
  }));
  const draw = (n: number) => {
    while (made.length < n) {
      const row = createRow(features[made.length] as TowardsFeatureMessage);
      made.push(row);
      list.append(row.element);
    }
    more.hidden = made.length >= features.length;
    setText(more, `+ ${count(features.length - made.length)} more`);
  };
  const show = (from: number) => {
    if (!shown) return;
    const { balance } = stepOf(shown);
    for (const [k, row] of made.entries())
      if (k >= from) row.update(balance[k]?.smd ?? Number.NaN, limit, written);
  };
  draw(Math.min(MOST, features.length));
  const known = [scale, list, more, table.element];
  const none = html("p", { class: "ts-quiet" }, "No mean of the other population is known.");
  return {
    element: html(
      "section",
      { class: "ts-love-plot" },
      html("h3", {}, `How far each mean is from ${there}`),
      ...(features.length > 0 ? known : [none]),
    ),
    update(state, last) {
      shown = state;
      if (state.way !== last?.way) {
        const all = state.way.steps.flatMap(({ balance }) => balance.map(({ smd }) => Math.abs(smd)));
        const far = Math.max(1.5 * NOTABLE, ...features.map(({ smd }) => Math.abs(smd)), ...all);
        limit = limitFor(far);
        written = distanceFormat(limit);
        const words = `in standard deviations, from −${limit} to +${limit}; ring: as tested, dot: here`;
        setText(scale, `${words}, dashed: ±${NOTABLE}`);
      }
      show(0);
      table.refresh();
    },
  };
}
