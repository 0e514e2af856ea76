/** Conditions as a person reads them, in the words that Python uses; those of moved edges are put together here. */

import type { Side } from "../../../solve/rules/count";
import { quantityFormat, UNDEFINED } from "../../../theme/formats";
import type { RuleAxisMessage, RuleShareMessage } from "../../../wire/messages";
import type { Shown } from "./context";
import { grownSide, sameSide, spanOf } from "./state";

/** Levels listed; of more, the others are. */
const MOST_LEVELS = 5;

const format = quantityFormat("share", 1);

export function shareWords(value: number | null): string {
  return value === null ? UNDEFINED : format.value(value);
}

/** "[96.2 %, 100.0 %]"; "" where there is no interval. */
export function bracketWords({ lower, upper }: Pick<RuleShareMessage, "lower" | "upper">): string {
  return lower === null || upper === null ? "" : ` [${shareWords(lower)}, ${shareWords(upper)}]`;
}

function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
}

function levelWords({ name, levels }: RuleAxisMessage, { inside }: Side): string {
  const own = levels.filter((_, code) => inside[code]);
  const others = levels.filter((_, code) => !inside[code]);
  if (others.length === 0) return "";
  const negated = own.length > MOST_LEVELS && others.length < own.length;
  return negated ? `${name} is not ${anyOf(others)}` : `${name} is ${anyOf(own)}`;
}

function rangeWords({ name, whole, cuts, over, up_to }: RuleAxisMessage, side: Side): string {
  const [first, last] = spanOf(side);
  const low = first > 0 ? over[first - 1] : undefined;
  const high = last < cuts.length ? up_to[last] : undefined;
  if (low === undefined) return high === undefined ? "" : `${name} ≤ ${high}`;
  if (high === undefined) return `${name} ${whole ? "≥" : ">"} ${low}`;
  if (low === high) return `${name} is ${low}`;
  return whole ? `${name} from ${low} to ${high}` : `${low} < ${name} ≤ ${high}`;
}

export function conditionWords(axis: RuleAxisMessage, side: Side): string {
  if (sameSide(side, grownSide(axis))) return axis.words;
  const { name, can_miss: canMiss } = axis;
  if (!side.inside.includes(true)) return `${name} is missing`;
  const present = axis.kind === "levels" ? levelWords(axis, side) : rangeWords(axis, side);
  if (!canMiss) return present || `any ${name}`;
  if (!present) return side.missing ? `any ${name}` : `${name} is not missing`;
  return side.missing ? `${present}, or missing` : present;
}

/** Whether every value meets it. */
function isOpen({ can_miss: canMiss }: RuleAxisMessage, { inside, missing }: Side): boolean {
  return (missing || !canMiss) && inside.every(Boolean);
}

/** "If age ≤ 28 and job is clerk: predicted yes." */
export function ruleWords(answer: string, { rule, sides, counts }: Shown): string {
  const asked = rule.axes.map((axis, place) => [axis, sides[place] as Side] as const);
  const moved = asked.filter(([axis, side]) => !isOpen(axis, side)).map((one) => conditionWords(...one));
  const words = counts ? moved.join(" and ") : rule.condition;
  return words ? `If ${words}: ${answer}.` : `Always: ${answer}.`;
}
