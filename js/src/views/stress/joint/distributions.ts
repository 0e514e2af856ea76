/** The moved features themselves, before and after: a histogram each, or two bars for a share. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, setText } from "../../../marks/element";
import { binWords, createHistogram, openWords } from "../../../marks/histogram";
import { followWidth } from "../../../marks/resize";
import { createShareBars } from "../../../marks/share_bars";
import { featureFormat, quantityFormat, span } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { ColumnMessage } from "../../../wire/messages";
import type { Answer } from "./answers";
import { type Context, movedIn, type Part } from "./context";

const MOST = 6;

/** One feature's picture, made when it is first shown. */
function createPicture({ data, features, mean, signal }: Context, feature: number) {
  const about = features[feature] as ColumnMessage;
  const edges = data.message.edges[feature] ?? [];
  const bins = { edges, open: data.message.open_ends[feature] ?? [] };
  const before = data.message.histograms[feature] ?? [];
  const write = mean(feature).value;
  const histogram = createHistogram();
  const shares = createShareBars();
  const numeric = edges.length > 1;
  const picture = html(
    "div",
    { class: numeric ? "ts-distribution" : "ts-distribution ts-of-share" },
    numeric ? histogram.element : shares.element,
  );
  let width = 0;
  let shownAt = -1;
  let answer: Answer | null = null;

  const table = createDataTable("as a table", signal, (): TableContent => {
    const edge = featureFormat(about, span(edges)).value;
    const share = quantityFormat("share", 0).value;
    const after = answer?.histogram(feature) ?? [];
    return {
      caption: `${about.name}: share of rows before and after`,
      columns: [about.name, "before", "after"],
      rows: Array.from(before, (part, b) => [
        binWords(bins, b, edge),
        share(part),
        share(after[b] ?? Number.NaN),
      ]),
    };
  });
  const draw = () => {
    if (!answer) return;
    const none = answer.reason !== "" && !answer.stale;
    const after = none ? Number.NaN : answer.achieved(feature);
    picture.classList.toggle("ts-is-none", none);
    if (!numeric) {
      shares.show(about.mean, write(about.mean));
      shares.mark(Number.isFinite(after) ? after : 0, Number.isFinite(after) ? write(after) : "none");
      return;
    }
    const bars = answer.histogram(feature);
    const summary = `Histogram of ${about.name}: grey bars for the data, a line for the population shown. Mean of the data ${write(about.mean)}.${openWords(bins, write)}`;
    if (shownAt !== width) histogram.show(width, bins, before, about.mean, summary);
    shownAt = width;
    histogram.mark(bars.length > 0 ? bars : before.map(() => 0), Number.isFinite(after) ? after : about.mean);
    table.refresh();
  };
  followWidth(picture, signal, (measured) => {
    if (measured === width) return;
    width = measured;
    draw();
  });
  return {
    element: html(
      "div",
      { class: "ts-multiple" },
      html("h4", {}, about.name),
      picture,
      ...(numeric ? [table] : []),
    ),
    update(next: Answer) {
      answer = next;
      if (width === 0) width = picture.clientWidth || sizes.histogram.fallbackWidth;
      draw();
    },
  };
}

export function createDistributions(context: Context): Part {
  const { features } = context;
  const pictures = new Map<number, ReturnType<typeof createPicture>>();
  const holder = html("div", { class: "ts-multiples" });
  const left = html("p", { class: "ts-quiet", hidden: true });
  const element = html(
    "section",
    { class: "ts-before-after" },
    html("h3", {}, "Before and after"),
    holder,
    left,
  );
  const pictureOf = (feature: number) => {
    const known = pictures.get(feature);
    if (known) return known;
    const made = createPicture(context, feature);
    pictures.set(feature, made);
    return made;
  };
  let shown = "";
  return {
    element,
    update({ state, answer }) {
      const moved = movedIn(state, features);
      const wanted = moved.length > 0 ? moved.slice(0, MOST) : [state.feature];
      if (wanted.join() !== shown) {
        shown = wanted.join();
        holder.replaceChildren(...wanted.map((feature) => pictureOf(feature).element));
      }
      holder.classList.toggle("ts-is-stale", answer.stale);
      for (const feature of wanted) pictureOf(feature).update(answer);
      left.hidden = moved.length <= MOST;
      setText(left, `and ${moved.length - MOST} more that are moved`);
    },
  };
}
