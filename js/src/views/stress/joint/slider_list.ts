/** The sliders: in the order of the columns, searchable when there are many, all of them movable at once. */

import { html } from "../../../marks/element";
import type { ColumnMessage } from "../../../wire/messages";
import { tauOf } from "../../../wire/shared_stress";
import { createColumnList } from "../../shared/column_list";
import { byColumn, groupByColumn } from "../../shared/columns";
import { skippedDetails } from "../../shared/feature_list";
import { memoize } from "../../shared/memoize";
import { type Context, movedIn, type Part, targetAt } from "./context";
import { createSliderRow } from "./slider_row";
import { FIRST_SHOWN, SHOWN_MORE, type State } from "./state";

export interface SliderList extends Part {
  /** Features whose sliders are on the page. */
  readonly shown: () => readonly number[];
  /** Ranges have become known. */
  mark(): void;
  /** Shows where the features went that are listed and not moved. */
  readonly followers: Part;
}

/** @param toggled other sliders are listed, as a person opened or closed a category */
export function createSliderList(context: Context, toggled: () => void): SliderList {
  const { features, intend, mean, signal } = context;
  const { skipped } = context.data.message;
  const grouping = groupByColumn(features);
  const order = byColumn(features, grouping).flat();
  let state: State | null = null;
  const rowOf = memoize((feature: number) =>
    createSliderRow(context, feature, () => state as State, grouping.categoryOf(feature) !== undefined),
  );
  const list = createColumnList({
    features,
    grouping,
    first: FIRST_SHOWN,
    rowOf,
    search: (query, event) => intend({ query, limit: FIRST_SHOWN }, event),
    showMore: (event) => state && intend({ limit: state.limit + SHOWN_MORE }, event),
    toggled() {
      if (state) show(state, movedIn(state, features));
      toggled();
    },
    signal,
  });
  /** "Male: 66.7 % → 45.4 %", for the row of its category while that is closed. */
  const movedWords = ({ stress }: State, feature: number): string => {
    const about = features[feature] as ColumnMessage;
    const write = mean(feature).value;
    return `${about.level}: ${write(about.mean)} → ${write(targetAt(about, tauOf(stress, about.name)))}`;
  };
  const show = (now: State, moved: readonly number[]) => {
    const levels = moved.filter((feature) => grouping.categoryOf(feature));
    list.mark(new Map(levels.map((feature) => [feature, movedWords(now, feature)])));
    for (const feature of list.shown()) rowOf(feature).update(now);
  };
  const element = html(
    "section",
    { class: "ts-features", "aria-label": "Features" },
    html("h3", {}, "Move the population (τ)"),
    ...list.elements,
    ...skippedDetails(skipped),
  );
  let listed: { readonly of: State; readonly moved: readonly number[] } | null = null;
  return {
    element,
    shown: list.shown,
    mark: () => {
      for (const feature of list.shown()) if (state) rowOf(feature).mark(state);
    },
    followers: {
      element,
      update({ answer }) {
        const known = answer.reason === "" || answer.stale;
        for (const feature of list.shown()) {
          rowOf(feature).follow(known ? answer.achieved(feature) : Number.NaN, answer.stale);
        }
      },
    },
    update({ state: next }) {
      state = next;
      const moved = movedIn(next, features);
      const fresh = moved.filter((feature) => !listed?.moved.includes(feature));
      fresh.forEach(list.openTo);
      const { query, limit, feature } = listed?.of ?? {};
      const same = query === next.query && limit === next.limit && feature === next.feature;
      if (!same || moved.join() !== listed?.moved.join()) {
        list.arrange(order, { ...next, kept: [next.feature, ...moved] });
      }
      listed = { of: next, moved };
      show(next, moved);
    },
  };
}
