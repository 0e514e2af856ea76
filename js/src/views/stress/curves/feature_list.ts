/** The sliders: ranked, searchable when there are many, one stressed at a time. */

import { finiteExtent } from "../../../marks/axis";
import { html, OWN_KEYS, reconcile, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { RankBy } from "../../../wire/stress/curves";
import { createSearchBox, skippedDetails } from "../../shared/feature_list";
import type { Context, Part } from "./context";
import { createFeatureRow, type FeatureRow } from "./feature_row";
import { rankFeatures } from "./ranking";
import { FIRST_SHOWN, SHOWN_MORE, type State } from "./state";

const RANK_WORDS: Record<RankBy, string> = {
  difference: "change where reliable",
  slope: "slope at τ = 0",
};

/** The features to list: the search's hits, or the first of the ranking and the chosen one. */
export function listFeatures(
  ranking: readonly number[],
  names: readonly string[],
  { query, limit, feature }: Pick<State, "query" | "limit" | "feature">,
): { shown: number[]; more: number } {
  const wanted = query.trim().toLowerCase();
  const hits = wanted === "" ? ranking : ranking.filter((f) => names[f]?.toLowerCase().includes(wanted));
  const shown = hits.slice(0, limit);
  if (wanted === "" && !shown.includes(feature)) shown.push(feature);
  return { shown, more: hits.length - shown.length };
}

function rankPicker({ intend, signal }: Context): HTMLSelectElement {
  const options = Object.entries(RANK_WORDS).map(([value, words]) => html("option", { value }, words));
  const picker = html("select", { "data-testid": "rank-by", ...OWN_KEYS }, ...options);
  picker.addEventListener("change", (event) => intend({ rankBy: picker.value as RankBy }, event), { signal });
  return picker;
}

export interface FeatureList extends Part {
  highlight(feature: number | null): void;
}

export function createFeatureList(context: Context): FeatureList {
  const { data, intend, measures, signal } = context;
  const { features, skipped } = data.message;
  const names = features.map(({ name }) => name);
  const rows = new Map<number, FeatureRow>();
  const picker = rankPicker(context);
  const list = html("div", { class: "ts-rows", role: "group", "aria-label": "Move the population" });
  const nothing = html("p", { class: "ts-quiet ts-nothing", hidden: true });
  const more = html("button", { type: "button", class: "ts-more", ...OWN_KEYS });
  const search = createSearchBox(
    features.length,
    (query, event) => intend({ query, limit: FIRST_SHOWN }, event),
    signal,
  );

  let state: State | null = null;
  let ranking: number[] = [];
  let domain: readonly [number, number] = [0, 1];
  let drawnFor: State["metric"] | null = null;
  more.addEventListener(
    "click",
    (event) =>
      state && intend({ limit: state.limit === FIRST_SHOWN ? SHOWN_MORE : state.limit + SHOWN_MORE }, event),
    { signal },
  );

  const rowOf = (feature: number): FeatureRow => {
    const known = rows.get(feature);
    if (known) return known;
    const row = createFeatureRow(context, feature);
    row.update(data.zero, false);
    rows.set(feature, row);
    return row;
  };
  const draw = (metric: number, shown: Iterable<number>) => {
    for (const feature of shown) rowOf(feature).draw(data.curve(feature, metric).value, domain);
  };
  const arrange = (next: State) => {
    const { shown, more: left } = listFeatures(ranking, names, next);
    const fresh = shown.filter((feature) => !rows.has(feature));
    reconcile(
      list,
      shown.map((feature) => rowOf(feature).element),
    );
    const [main = 0] = measures(next.metric);
    draw(main, drawnFor === next.metric ? fresh : rows.keys());
    drawnFor = next.metric;
    setText(more, `+ ${count(left)} more`);
    more.hidden = left <= 0;
    nothing.hidden = shown.length > 0;
    setText(nothing, `No feature is named like “${next.query}”.`);
  };

  const element = html(
    "section",
    { class: "ts-features", "aria-label": "Features" },
    html("h3", {}, "Move the population (τ)"),
    html("label", { class: "ts-rank" }, html("span", { class: "ts-quiet" }, "ranked by "), picker),
    ...(features.length > FIRST_SHOWN ? [search] : []),
    list,
    nothing,
    more,
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
      const moved = next.feature !== before?.feature;
      if (!ranked || moved || next.query !== before?.query || next.limit !== before?.limit) arrange(next);
      if (moved && before) rowOf(before.feature).update(data.zero, false);
      rowOf(next.feature).update(next.tau, true);
    },
    highlight(feature) {
      for (const [k, row] of rows) row.element.classList.toggle("ts-is-pointed", k === feature);
    },
  };
}
