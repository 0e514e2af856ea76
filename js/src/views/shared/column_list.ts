/** A list of sliders by column: searchable when there are many, a category one row that opens to its levels. */

import { createButton } from "../../marks/button";
import { html, reconcile, setText, showText } from "../../marks/element";
import { createSearchBox } from "../../marks/search_box";
import { count } from "../../theme/formats";
import { type Category, type Entry, type Grouping, type Listed, type Listing, listEntries } from "./columns";
import { listenToKeys } from "./keys";
import { counted } from "./words";

interface CategoryRow {
  readonly element: HTMLElement;
  /** @param now what of it is moved, in words; "" for nothing */
  update(open: boolean, chosen: boolean, now: string): void;
}

/**
 * A column of levels in one row, which opens and closes; so does the fold of its other levels.
 *
 * @param toggle called with whether it is to be open
 */
function createCategoryRow(
  { label, of, nLevels }: { readonly label: string; readonly of: string; readonly nLevels: number },
  signal: AbortSignal,
  toggle: (open: boolean) => void,
): CategoryRow {
  const levels = `${counted(nLevels, "level")}`;
  const now = html("span", { class: "ts-category-now" });
  const button = createButton(
    {
      class: "ts-category-toggle",
      "aria-expanded": "false",
      "aria-label": of ? `${label} ${levels} of ${of}` : `${label} ${levels}`,
      "data-testid": "category",
    },
    [
      html("span", { class: "ts-feature", title: label }, label),
      " ",
      html("span", { class: "ts-quiet ts-n-levels" }, levels),
    ],
    signal,
    () => toggle(!open),
  );
  const element = html("div", { class: `ts-row ts-category${of ? " ts-level" : ""}` }, button, now);
  let open = false;
  listenToKeys(button, signal, ({ key }) => {
    const wanted = key === "ArrowRight";
    if (!wanted && key !== "ArrowLeft") return false;
    if (wanted !== open) toggle(wanted);
    return true;
  });
  return {
    element,
    update(next, chosen, words) {
      open = next;
      button.setAttribute("aria-expanded", String(open));
      element.classList.toggle("ts-is-chosen", chosen && !open);
      showText(now, open ? "" : words);
    },
  };
}

export interface ColumnListOptions {
  readonly features: readonly Listed[];
  readonly grouping: Grouping;
  /** How many columns are listed at first. */
  readonly first: number;
  readonly rowOf: (feature: number) => { readonly element: HTMLElement };
  readonly search: (query: string, event: Event) => void;
  readonly showMore: (event: Event) => void;
  /** Another set of sliders is listed, as a person opened or closed a category. */
  readonly toggled: () => void;
  readonly signal: AbortSignal;
}

export function createColumnList(options: ColumnListOptions) {
  const { features, grouping, first, rowOf, signal } = options;
  const opened = { categories: new Set<string>(), others: new Set<string>() };
  const heads = new Map<string, CategoryRow>();
  const list = html("div", { class: "ts-rows", role: "group", "aria-label": "Move the population" });
  const nothing = html("p", { class: "ts-quiet ts-nothing", hidden: true });
  const more = createButton({ class: "ts-more" }, [], signal, options.showMore);
  const search = createSearchBox(
    "Search features",
    `search ${counted(features.length, "feature")}`,
    signal,
    options.search,
  );

  let arranged: { readonly ranking: readonly number[]; readonly listing: Listing } | null = null;
  let listed: readonly Entry[] = [];
  let shown: readonly number[] = [];

  const headOf = (kind: "category" | "others", { name, levels, others }: Category): CategoryRow => {
    const key = `${kind} ${name}`;
    const known = heads.get(key);
    if (known) return known;
    const isFold = kind === "others";
    const about = isFold
      ? { label: "other levels", of: name, nLevels: others.length }
      : { label: name, of: "", nLevels: levels.length + others.length };
    const open = isFold ? opened.others : opened.categories;
    const toggle = (wanted: boolean) => {
      if (wanted) open.add(name);
      else open.delete(name);
      if (!arranged) return;
      arrange(arranged.ranking, arranged.listing);
      options.toggled();
    };
    const head = createCategoryRow(about, signal, toggle);
    heads.set(key, head);
    return head;
  };
  const arrange = (ranking: readonly number[], listing: Listing) => {
    arranged = { ranking, listing };
    const { entries, more: left } = listEntries(ranking, features, grouping, listing, opened);
    listed = entries;
    shown = entries.flatMap((entry) => (entry.kind === "feature" ? [entry.feature] : []));
    reconcile(
      list,
      entries.map((entry) =>
        entry.kind === "feature" ? rowOf(entry.feature).element : headOf(entry.kind, entry.category).element,
      ),
    );
    setText(more, `+ ${count(left)} more`);
    more.hidden = left <= 0;
    nothing.hidden = entries.length > 0;
    setText(nothing, `No feature is named like “${listing.query}”.`);
  };

  return {
    /** The search, the rows, and what stands below them. */
    elements: [...(features.length > first ? [search] : []), list, nothing, more],
    /** Features whose sliders are listed. */
    shown: () => shown,
    /** Open the category of a level, and its fold. */
    openTo(feature: number) {
      const category = grouping.categoryOf(feature);
      if (!category) return;
      opened.categories.add(category.name);
      if (grouping.isOther(feature)) opened.others.add(category.name);
    },
    /** @param ranking features in their order */
    arrange,
    /** @param moved the words of a moved level, by position; in the row of its category while that is closed */
    mark(moved: ReadonlyMap<number, string>) {
      for (const entry of listed) {
        if (entry.kind === "feature") continue;
        const { kind, category, open } = entry;
        const under = kind === "others" ? category.others : [...category.levels, ...category.others];
        const words = under.flatMap((level) => moved.get(level) ?? []);
        headOf(kind, category).update(open, words.length > 0, words.filter(Boolean).join(", "));
      }
    },
  };
}
