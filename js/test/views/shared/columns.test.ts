import { describe, expect, test } from "vitest";
import {
  byColumn,
  categoriesOf,
  type Entry,
  groupByColumn,
  listEntries,
} from "../../../src/views/shared/columns";
import { example } from "../../support/example";

const level = (column: string, name: string, mean: number) => ({
  name: `${column} = ${name}`,
  column,
  level: name,
  kind: "share" as const,
  mean,
  edges: [],
});
const { features } = example({
  features: [
    { name: "age" },
    level("sex", "Female", 0.4),
    level("sex", "Male", 0.6),
    { name: "hours" },
    level("land", "US", 0.98),
    level("land", "Ireland", 0.004),
    level("land", "Laos", 0.003),
  ],
}).message;
const grouping = groupByColumn(features);
const { categories } = grouping;
const none = { categories: new Set<string>(), others: new Set<string>() };
const ranking = [5, 3, 0, 2, 1, 4, 6];
const all = { query: "", limit: 8, kept: [0] };

function words(entries: readonly Entry[]): string[] {
  return entries.map((entry) =>
    entry.kind === "feature"
      ? (features[entry.feature]?.name ?? "")
      : `${entry.open ? "▾" : "▸"} ${entry.kind === "others" ? "others of " : ""}${entry.category.name}`,
  );
}
const list = (
  given: Partial<typeof all>,
  opened: { categories: Set<string>; others: Set<string> } = none,
) => {
  const { entries, more } = listEntries(ranking, features, grouping, { ...all, ...given }, opened);
  return [...words(entries), more];
};

describe("categories", () => {
  test("rare levels stand under others, the largest dozen does not", () => {
    expect(categories.get("land")).toEqual({ name: "land", levels: [4], others: [5, 6] });
    expect(categories.get("sex")).toEqual({ name: "sex", levels: [2, 1], others: [] });
    const many = Array.from({ length: 15 }, (_, k) => level("job", `job ${k}`, 0.02 + k / 1000));
    const job = categoriesOf(example({ features: many }).message.features).get("job");
    expect(job?.levels).toHaveLength(12);
    expect(job?.others).toEqual([2, 1, 0]);
  });
  test("one rare level is not worth a fold; where all are rare the largest are shown", () => {
    const one = [level("a", "x", 0.99), level("a", "y", 0.001)];
    expect(categoriesOf(example({ features: one }).message.features).get("a")?.others).toEqual([]);
    const rare = Array.from({ length: 200 }, (_, k) => level("zip", `${k}`, 0.005));
    expect(categoriesOf(example({ features: rare }).message.features).get("zip")?.levels).toHaveLength(12);
  });
  test("a column of which one level is moved is no category", () => {
    expect(categoriesOf(example().message.features).size).toBe(0);
  });
});

describe("the list", () => {
  test("has a row for each column, by its best level that is not rare", () => {
    expect(list({})).toEqual(["hours", "age", "▸ sex", "▸ land", 0]);
    expect(list({ limit: 2 })).toEqual(["hours", "age", 2]);
  });
  test("has the chosen feature's column always", () => {
    expect(list({ limit: 2, kept: [5] })).toEqual(["hours", "age", "▸ land", 1]);
  });
  test("opens to levels, and to the others below them", () => {
    const sex = { categories: new Set(["sex"]), others: new Set<string>() };
    expect(list({ limit: 3 }, sex)).toEqual(["hours", "age", "▾ sex", "sex = Male", "sex = Female", 1]);
    const land = { categories: new Set(["land"]), others: new Set<string>() };
    expect(list({}, land).slice(3)).toEqual(["▾ land", "land = US", "▸ others of land", 0]);
    const both = { categories: new Set(["land"]), others: new Set(["land"]) };
    expect(list({}, both).slice(4)).toEqual([
      "land = US",
      "▾ others of land",
      "land = Ireland",
      "land = Laos",
      0,
    ]);
  });
  test("of a search has the hits alone, their categories open", () => {
    expect(list({ query: " FEMALE " })).toEqual(["▾ sex", "sex = Female", 0]);
    expect(list({ query: "ireland" })).toEqual(["▾ land", "land = Ireland", 0]);
    expect(list({ query: "o", limit: 1 })).toEqual(["hours", 1]);
    expect(list({ query: "zzz" })).toEqual([0]);
  });
  test("in the order of its columns has the largest levels first", () => {
    expect(byColumn(features, grouping)).toEqual([[0], [2, 1], [3], [4, 5, 6]]);
  });
  test("keeps every moved feature's column", () => {
    expect(list({ limit: 1, kept: [0, 6] })).toEqual(["hours", "age", "▸ land", 1]);
  });
});

test("ten thousand columns and ten thousand levels are grouped once through", () => {
  let asked = 0;
  const many = Array.from({ length: 20_000 }, (_, k) => {
    const [column, kind] = k % 2 === 0 ? [`x${k}`, "numeric" as const] : ["zip", "share" as const];
    return {
      name: `${column}${k}`,
      column,
      level: kind === "share" ? String(k) : null,
      mean: 1e-4,
      get kind() {
        asked++;
        return kind;
      },
    };
  });
  const grouped = groupByColumn(many);
  const order = byColumn(many, grouped).flat();
  const { entries, more } = listEntries(order, many, grouped, { query: "", limit: 12, kept: [] }, none);
  expect(entries).toHaveLength(12);
  expect(more).toBe(10_001 - 12);
  expect(asked).toBeLessThan(5 * many.length);
});
