/** The sets tried as marks on a line from 0 to 1, and what is said of them. */

import { count } from "../../../theme/formats";
import type { SubsetsMessage, SubsetsSizeMessage } from "../../../wire/messages";
import type { Answer } from "../../../wire/rules/rules";
import { shareWords } from "./words";

export interface Mark {
  readonly names: readonly string[];
  readonly sdp: number;
  /** Whether it suffices and no part of it does. */
  readonly minimal: boolean;
  /** Its rule; -1 where it has none. */
  readonly rule: number;
}

/** The marks of one size, the least probable first: as they stand from left to right. */
export function marksOf(
  { features }: SubsetsMessage,
  { sets, sdp, minimal, rules }: SubsetsSizeMessage,
): readonly Mark[] {
  const marks = sets.map((set, place) => {
    const at = minimal.indexOf(place);
    return {
      names: set.map((feature) => features[feature] ?? ""),
      sdp: sdp[place] as number,
      minimal: at >= 0,
      rule: rules[at] ?? -1,
    };
  });
  return marks.reverse();
}

/** Path data of upright marks in a square of side 1. */
export function tickPath(marks: readonly Mark[]): string {
  return marks.map(({ sdp }) => `M${sdp.toFixed(4)},0V1`).join("");
}

/** Place of the mark nearest to a share, a minimal one within `reach` first; -1 where there is none. */
export function nearestMark(marks: readonly Mark[], share: number, reach: number): number {
  let nearest = -1;
  let least = Infinity;
  marks.forEach(({ sdp, minimal }, place) => {
    const away = Math.abs(sdp - share) - (minimal ? reach : 0);
    if (away < least) [nearest, least] = [place, away];
  });
  return nearest;
}

/** A mark among the rows of all sizes. */
export interface Place {
  readonly row: number;
  readonly mark: number;
}

/** Where the set of a rule stands; where there is no rule the most probable. */
export function shownPlace(rows: readonly (readonly Mark[])[], shown: number): Place {
  let found: Place = { row: 0, mark: 0 };
  let most = -1;
  rows.forEach((marks, row) => {
    marks.forEach(({ sdp, rule }, mark) => {
      const rank = rule >= 0 && rule === shown ? 2 : sdp;
      if (rank > most) [found, most] = [{ row, mark }, rank];
    });
  });
  return found;
}

/** Where a key leads: along a size, or to the nearest of the next; null for a key of no meaning here. */
export function stepFrom(
  rows: readonly (readonly Mark[])[],
  { row, mark }: Place,
  key: string,
): Place | null {
  const own = rows[row] ?? [];
  const clamp = (k: number, n: number) => Math.max(0, Math.min(n - 1, k));
  const along = { ArrowLeft: mark - 1, ArrowRight: mark + 1, Home: 0, End: own.length - 1 }[key];
  if (along !== undefined) return { row, mark: clamp(along, own.length) };
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const next = clamp(row + (key === "ArrowDown" ? 1 : -1), rows.length);
  if (next === row) return { row, mark };
  return { row: next, mark: nearestMark(rows[next] ?? [], own[mark]?.sdp ?? 1, 0) };
}

export function markWords({ names, sdp, minimal }: Mark, pi: number): string {
  const reaches = minimal ? ", a minimal set" : sdp < pi ? "" : `, reaches π = ${pi}`;
  return `${names.join(" + ")}: ${shareWords(sdp)}${reaches}`;
}

/** How many sets were tried, how many of them reach π, and why the others were left out. */
export function triedWords({ subsets, pi: answered }: Pick<Answer, "subsets" | "pi">, pi: number): string {
  const { features, greedy, sizes } = subsets;
  const tried = sizes.reduce((sum, { n_tried }) => sum + n_tried, 0);
  const reaching = sizes.reduce((sum, { sdp }) => sum + sdp.filter((one) => one >= pi - 1e-9).length, 0);
  const cut = sizes.some(({ sdp, n_tried }) => sdp.length < n_tried && (sdp.at(-1) ?? 0) >= pi);
  const some = reaching === 1 ? "one reaches" : `${cut ? "at least " : ""}${count(reaching)} of them reach`;
  const reach = `${reaching === 0 ? "none reaches" : some} π = ${pi}`;
  if (greedy) return `${count(tried)} sets were tried, grown one feature at a time; ${reach}.`;
  const all = 2 ** features.length - 1;
  const left = all - tried;
  const others = `The other ${count(left)} hold a set that suffices at π = ${answered}, and were not searched.`;
  const first = `${left ? `${count(tried)} of` : "All"} ${count(all)} sets were tried; ${reach}.`;
  return left ? `${first} ${others}` : first;
}
