/** The chosen feature itself, before and after: a histogram, or two bars for a share. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { binWords, createHistogram, openWords } from "../../../marks/histogram";
import { followWidth } from "../../../marks/resize";
import { createShareBars } from "../../../marks/share_bars";
import { featureFormat, quantityFormat, span } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import type { Context, Part } from "./context";
import type { State } from "./state";

export function createDistribution(context: Context): Part {
  const { data, signal, target } = context;
  const { features } = data.message;
  const histogram = createHistogram();
  const shares = createShareBars();
  const title = html("h3");
  const picture = html("div", { class: "ts-distribution" }, histogram, shares);
  let state: State | null = null;
  let width = 0;

  const about = ({ feature }: State) => features[feature] as CurvesFeatureMessage;
  const drawn = (now: State) => about(now).edges.length > 1;
  const bins = (now: State) => ({ edges: about(now).edges, open: about(now).open_ends });
  const means = ({ feature, tau }: State) => {
    const values = data.population(feature).target;
    return [values[data.zero] as number, values[tau] as number] as const;
  };

  const content = (): TableContent => {
    if (!state) return { caption: "", columns: [], rows: [] };
    const { edges, name } = about(state);
    const edge = featureFormat(about(state), span(edges)).value;
    const share = quantityFormat("share", 0).value;
    const shown = bins(state);
    const before = data.histogram(state.feature, data.zero);
    const after = data.histogram(state.feature, state.tau);
    return {
      caption: `${name}: share of rows before and after`,
      columns: [name, "before", "after"],
      rows: Array.from(before, (rows, b) => [
        binWords(shown, b, edge),
        share(rows),
        share(after[b] as number),
      ]),
    };
  };
  const table = createDataTable("The histogram as a table", signal, content);

  const show = (now: State) => {
    const { name } = about(now);
    const [mean] = means(now);
    const words = target(now.feature).value(mean);
    setText(title, `${name}, before and after`);
    picture.classList.toggle("ts-of-share", !drawn(now));
    table.element.hidden = !drawn(now);
    if (drawn(now)) {
      const summary = `Histogram of ${name}: grey bars for the data, a line for the population shown. Mean of the data ${words}.${openWords(bins(now), target(now.feature).value)}`;
      histogram.show(width, bins(now), data.histogram(now.feature, data.zero), mean, summary);
    } else shares.show(mean, words);
  };
  const mark = (now: State) => {
    const [, mean] = means(now);
    if (drawn(now)) histogram.mark(data.histogram(now.feature, now.tau), mean);
    else shares.mark(mean, target(now.feature).value(mean));
    table.refresh();
  };
  followWidth(picture, signal, (measured) => {
    if (measured === width || !state) return;
    width = measured;
    show(state);
    mark(state);
  });

  return {
    element: html("section", { class: "ts-before-after" }, title, picture, table),
    update(next, before) {
      state = next;
      if (!before) width = picture.clientWidth || sizes.histogram.fallbackWidth;
      if (next.feature !== before?.feature) show(next);
      if (next.feature !== before?.feature || next.tau !== before.tau) mark(next);
    },
  };
}
