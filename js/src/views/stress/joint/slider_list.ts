/** The sliders: in the order of the columns, searchable when there are many, all of them movable at once. */

import { html, OWN_KEYS, reconcile, setText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import { createSearchBox, skippedDetails } from "../../shared/feature_list";
import { type Context, movedIn, type Part } from "./context";
import { createSliderRow, type SliderRow } from "./slider_row";
import { FIRST_SHOWN, SHOWN_MORE, type State } from "./state";

/** The features to list: the search's hits, or the first ones and those that are moved. */
export function listFeatures(
  names: readonly string[],
  moved: readonly number[],
  { query, limit, feature }: Pick<State, "query" | "limit" | "feature">,
): { readonly shown: number[]; readonly more: number } {
  const wanted = query.trim().toLowerCase();
  const hits = Array.from(names.keys()).filter((f) => names[f]?.toLowerCase().includes(wanted));
  if (wanted !== "") return { shown: hits.slice(0, limit), more: Math.max(0, hits.length - limit) };
  const shown = hits.filter((f) => f < limit || f === feature || moved.includes(f));
  return { shown, more: hits.length - shown.length };
}

export interface SliderList extends Part {
  /** Features whose sliders are on the page. */
  readonly shown: () => readonly number[];
  /** Ranges have become known. */
  mark(): void;
}

export function createSliderList(context: Context): SliderList {
  const { features, intend, signal } = context;
  const { skipped } = context.data.message;
  const names = features.map(({ name }) => name);
  const rows = new Map<number, SliderRow>();
  const list = html("div", { class: "ts-rows", role: "group", "aria-label": "Move the population" });
  const nothing = html("p", { class: "ts-quiet ts-nothing", hidden: true });
  const more = html("button", { type: "button", class: "ts-more", ...OWN_KEYS });
  const search = createSearchBox(
    features.length,
    (query, event) => intend({ query, limit: FIRST_SHOWN }, event),
    signal,
  );
  let state: State | null = null;
  let shown: number[] = [];
  more.addEventListener("click", (event) => state && intend({ limit: state.limit + SHOWN_MORE }, event), {
    signal,
  });
  const rowOf = (feature: number): SliderRow => {
    const known = rows.get(feature);
    if (known) return known;
    const row = createSliderRow(context, feature, () => state as State);
    rows.set(feature, row);
    return row;
  };
  const element = html(
    "section",
    { class: "ts-features", "aria-label": "Features" },
    html("h3", {}, "Move the population (τ)"),
    ...(features.length > FIRST_SHOWN ? [search] : []),
    list,
    nothing,
    more,
    ...skippedDetails(skipped),
  );
  return {
    element,
    shown: () => shown,
    mark: () => {
      for (const feature of shown) if (state) rowOf(feature).mark(state);
    },
    update({ state: next }) {
      state = next;
      const { shown: wanted, more: left } = listFeatures(names, movedIn(next, features), next);
      shown = wanted;
      reconcile(
        list,
        shown.map((feature) => rowOf(feature).element),
      );
      for (const feature of shown) rowOf(feature).update(next);
      setText(more, `+ ${count(left)} more`);
      more.hidden = left <= 0;
      nothing.hidden = shown.length > 0;
      setText(nothing, `No feature is named like “${next.query}”.`);
    },
  };
}
