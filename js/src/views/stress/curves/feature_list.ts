/** The sliders: ranked by column, searchable when there are many, one stressed at a time. */

import { finiteExtent } from "../../../marks/axis";
import { html } from "../../../marks/element";
import { createPicker, type Option } from "../../../marks/picker";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import type { RankBy, StressCurves } from "../../../wire/stress/curves";
import { createColumnList } from "../../shared/column_list";
import { groupByColumn } from "../../shared/columns";
import { skippedDetails } from "../../shared/feature_list";
import type { Context, Part } from "./context";
import { createFeatureRow, type FeatureRow } from "./feature_row";
import { rankFeatures } from "./ranking";
import { FIRST_SHOWN, SHOWN_MORE, type State } from "./state";

const SUM_OF_ALL = 1e-6;

/**
 * The share of a feature while another of its column is moved; NaN where the curves do not tell.
 *
 * Rows of the other levels share one weight, so that their shares keep their ratios; of two levels the one is what the
 * other leaves, whatever is held.
 */
export function followedShare(data: StressCurves, moved: number, tau: number, follower: number): number {
  const { features, hold } = data.message;
  const leads = features[moved] as CurvesFeatureMessage;
  const follows = features[follower] as CurvesFeatureMessage;
  const { target } = data.population(moved);
  const [before, now] = [target[data.zero] as number, target[tau] as number];
  if (leads.kind !== "share" || follows.kind !== "share" || leads.column !== follows.column)
    return Number.NaN;
  const isRest = Math.abs(leads.mean + follows.mean - 1) < SUM_OF_ALL;
  if (hold !== "none" && !isRest) return Number.NaN;
  return (follows.mean * (1 - now)) / (1 - before);
}

const RANKINGS: readonly Option<RankBy>[] = [
  ["difference", "change where reliable"],
  ["slope", "slope at τ = 0"],
];

function rankPicker({ intend, signal }: Context): HTMLSelectElement {
  return createPicker({ "data-testid": "rank-by" }, RANKINGS, signal, (rankBy, event) =>
    intend({ rankBy }, event),
  );
}

export interface FeatureList extends Part {
  highlight(feature: number | null): void;
}

export function createFeatureList(context: Context): FeatureList {
  const { data, intend, measures, signal } = context;
  const { features, skipped } = data.message;
  const grouping = groupByColumn(features);
  const rows = new Map<number, FeatureRow>();
  const picker = rankPicker(context);
  let state: State | null = null;
  let ranking: number[] = [];
  let domain: readonly [number, number] = [0, 1];
  let drawnFor: State["metric"] | null = null;

  const rowOf = (feature: number): FeatureRow => {
    const known = rows.get(feature);
    if (known) return known;
    const row = createFeatureRow(context, feature, grouping.categoryOf(feature) !== undefined);
    row.update(data.zero, false);
    if (state) row.draw(data.curve(feature, measures(state.metric)[0] ?? 0).value, domain);
    rows.set(feature, row);
    return row;
  };
  const list = createColumnList({
    features,
    grouping,
    first: FIRST_SHOWN,
    rowOf,
    search: (query, event) => intend({ query, limit: FIRST_SHOWN }, event),
    showMore: (event) =>
      state && intend({ limit: state.limit === FIRST_SHOWN ? SHOWN_MORE : state.limit + SHOWN_MORE }, event),
    toggled: () => state && show(state),
    signal,
  });
  /** The chosen level in the words of its closed category: how far it is moved, if it is. */
  const movedWords = ({ feature, tau }: State): string => {
    if (tau === data.zero) return "";
    const { target } = data.population(feature);
    const [before, now] = [data.zero, tau].map((t) => context.target(feature).value(target[t] as number));
    return `${features[feature]?.level}: ${before} → ${now}`;
  };
  const followed = ({ feature, tau }: State, follower: number) =>
    tau === data.zero ? null : followedShare(data, feature, tau, follower);
  const show = (now: State) => {
    list.mark(new Map([[now.feature, movedWords(now)]]));
    rowOf(now.feature).update(now.tau, true);
    for (const [k, row] of rows) if (k !== now.feature) row.follow(followed(now, k));
  };

  const element = html(
    "section",
    { class: "ts-features", "aria-label": "Features" },
    html("h3", {}, "Move the population (τ)"),
    html("label", { class: "ts-rank" }, html("span", { class: "ts-quiet" }, "ranked by "), picker),
    ...list.elements,
    ...skippedDetails(skipped),
  );

  return {
    element,
    update(next, before) {
      state = next;
      const ranked = next.metric === before?.metric && next.rankBy === before.rankBy;
      if (!ranked) {
        const metrics = measures(next.metric);
        ranking = rankFeatures(data, metrics, next.rankBy);
        domain = finiteExtent(features.map((_, feature) => data.curve(feature, metrics[0] ?? 0).value));
        picker.value = next.rankBy;
      }
      if (drawnFor !== next.metric) {
        const [main = 0] = measures(next.metric);
        for (const [feature, row] of rows) row.draw(data.curve(feature, main).value, domain);
        drawnFor = next.metric;
      }
      const moved = next.feature !== before?.feature;
      if (moved && (before || next.tau !== data.zero)) list.openTo(next.feature);
      if (!ranked || moved || next.query !== before?.query || next.limit !== before?.limit)
        list.arrange(ranking, { ...next, kept: [next.feature] });
      if (moved && before) rowOf(before.feature).update(data.zero, false);
      show(next);
    },
    highlight(feature) {
      for (const [k, row] of rows) row.element.classList.toggle("ts-is-pointed", k === feature);
    },
  };
}
