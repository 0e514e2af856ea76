/** Features gathered by column: a category is one entry of the list, and opens to its levels. */

/** Levels of fewer rows than this stand under "other levels". */
const RARE = 0.01;
const MOST_LEVELS = 12;

/** A feature as far as lists are concerned. */
export interface Listed {
  readonly name: string;
  readonly column: string;
  readonly level: string | null;
  readonly kind: "numeric" | "share";
  /** Mean, or share of the rows. */
  readonly mean: number;
}

/** A column of several levels; their positions among the features, the largest first. */
export interface Category {
  readonly name: string;
  readonly levels: readonly number[];
  /** Levels of few rows, and those beyond the largest dozen. */
  readonly others: readonly number[];
}

function categoryOf(name: string, members: readonly number[], features: readonly Listed[]): Category {
  const share = (feature: number) => (features[feature] as Listed).mean;
  const largest = [...members].sort((a, b) => share(b) - share(a) || a - b);
  const common = largest.filter((feature) => share(feature) >= RARE).length;
  const kept = largest.slice(0, Math.min(MOST_LEVELS, common || members.length));
  const others = largest.slice(kept.length);
  // a fold for one level would only hide it
  return others.length > 1 ? { name, levels: kept, others } : { name, levels: largest, others: [] };
}

/** Values under keys, in the order in which the keys first come. */
function gather<K>(features: Iterable<number>, keyOf: (feature: number) => K | undefined): Map<K, number[]> {
  const gathered = new Map<K, number[]>();
  for (const feature of features) {
    const key = keyOf(feature);
    if (key === undefined) continue;
    const known = gathered.get(key);
    if (known) known.push(feature);
    else gathered.set(key, [feature]);
  }
  return gathered;
}

/** Columns with more than one level, by name. */
export function categoriesOf(features: readonly Listed[]): Map<string, Category> {
  const columns = gather(features.keys(), (feature) => {
    const { kind, column, level } = features[feature] as Listed;
    return kind === "share" && level !== null ? column : undefined;
  });
  return new Map(
    [...columns]
      .filter(([, members]) => members.length > 1)
      .map(([name, members]) => [name, categoryOf(name, members, features)]),
  );
}

/** The categories, and which of them a feature is a level of. */
export type Grouping = ReturnType<typeof groupByColumn>;

/** The categories, and which of them a feature is a level of. */
export function groupByColumn(features: readonly Listed[]) {
  const categories = categoriesOf(features);
  const others = new Set([...categories.values()].flatMap((category) => category.others));
  return {
    categories,
    /** The category of a level; undefined for every other feature. */
    categoryOf(feature: number) {
      const { kind, column } = features[feature] as Listed;
      return kind === "share" ? categories.get(column) : undefined;
    },
    /** Whether a level stands under its category's others. */
    isOther: (feature: number) => others.has(feature),
  };
}

/** The features of each column in the order of the columns, a category's levels the largest first. */
export function byColumn(features: readonly Listed[], { categoryOf }: Grouping): (readonly number[])[] {
  const columns = gather<Category | number>(features.keys(), (feature) => categoryOf(feature) ?? feature);
  return [...columns.keys()].map((key) => (typeof key === "number" ? [key] : [...key.levels, ...key.others]));
}

/** A slider, a category to open, or the fold of a category's other levels. */
export type Entry =
  | { readonly kind: "feature"; readonly feature: number }
  | { readonly kind: "category" | "others"; readonly category: Category; readonly open: boolean };

export interface Listing {
  readonly query: string;
  /** How many columns are listed. */
  readonly limit: number;
  /** Features whose columns are listed always. */
  readonly kept: readonly number[];
}

/** What is open, by the name of the column. */
export interface Opened {
  readonly categories: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** Columns by their best feature; a category's other levels count last. */
function rankColumns(ranking: readonly number[], { categoryOf, isOther }: Grouping) {
  const ordered = [...ranking.filter((f) => !isOther(f)), ...ranking.filter(isOther)];
  return [...gather<Category | number>(ordered, (feature) => categoryOf(feature) ?? feature)];
}

function entriesOf(
  key: Category | number,
  members: readonly number[],
  { isOther }: Grouping,
  opened: Opened,
): Entry[] {
  if (typeof key === "number") return [{ kind: "feature", feature: key }];
  const open = opened.categories.has(key.name);
  const head: Entry = { kind: "category", category: key, open };
  if (!open) return [head];
  const sliders = (wanted: boolean) =>
    members
      .filter((feature) => isOther(feature) === wanted)
      .map((feature): Entry => ({ kind: "feature", feature }));
  if (key.others.length === 0) return [head, ...sliders(false)];
  const unfolded = opened.others.has(key.name);
  const fold: Entry = { kind: "others", category: key, open: unfolded };
  return [head, ...sliders(false), fold, ...(unfolded ? sliders(true) : [])];
}

/** The list: the search's hits with their categories open, or the first columns of the ranking and those kept. */
export function listEntries(
  ranking: readonly number[],
  features: readonly Listed[],
  grouping: Grouping,
  { query, limit, kept }: Listing,
  opened: Opened,
): { entries: Entry[]; more: number } {
  const wanted = query.trim().toLowerCase();
  if (wanted !== "") {
    const hits = ranking.filter((f) => features[f]?.name.toLowerCase().includes(wanted));
    const columns = rankColumns(hits, grouping);
    const entries = columns.slice(0, limit).flatMap(([key, members]): Entry[] => {
      const head: Entry[] = typeof key === "number" ? [] : [{ kind: "category", category: key, open: true }];
      return [...head, ...members.map((hit): Entry => ({ kind: "feature", feature: hit }))];
    });
    return { entries, more: Math.max(0, columns.length - limit) };
  }
  const columns = rankColumns(ranking, grouping);
  const always = new Set(kept.map((feature) => grouping.categoryOf(feature) ?? feature));
  const shown = columns.filter(([key], place) => place < limit || always.has(key));
  return {
    entries: shown.flatMap(([key, members]) => entriesOf(key, members, grouping, opened)),
    more: columns.length - shown.length,
  };
}
