/** Names where there is little room: of a level the level alone, where that says which. */

import type { Scene } from "../../marks/scene";
import { categoriesOf, type Listed } from "./columns";
import { counted } from "./words";

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

/** How many groups have a line, and how many lines a name at their end; "" where all have. */
export function namedWords({ drawn, front }: Scene, chosen: number, nGroups: number): string {
  const named = front(chosen).labels.length;
  const lines = drawn.length < nGroups ? `Lines: ${drawn.length} of ${counted(nGroups, "group")}. ` : "";
  const rest =
    named < drawn.length ? `Named: ${named} of ${drawn.length}; point at a line for its name.` : "";
  return (lines + rest).trim();
}
