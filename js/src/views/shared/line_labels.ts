/** Names where there is little room: of a level the level alone, where that says which. */

import { categoriesOf, type Listed } from "./columns";

/** Whether a level says something without its column: "Prof-school" does, "1", "yes" and "Other" do not. */
function tells(level: string): boolean {
  return /\p{L}{3}/u.test(level) && !/^(true|false|yes|none|other|unknown|missing)$/i.test(level.trim());
}

export function lineLabels(features: readonly Listed[]): string[] {
  const categories = categoriesOf(features);
  const short = features.map(({ name, kind, column, level }) =>
    kind === "share" && level !== null && categories.has(column) && tells(level) ? level : name,
  );
  const times = new Map<string, number>();
  for (const label of short) times.set(label, (times.get(label) ?? 0) + 1);
  return short.map((label, k) => (times.get(label) === 1 ? label : (features[k] as Listed).name));
}
