/** What the panel of rules shows, and the way there from the traits. */

import type { Side } from "../../../solve/rules/count";
import type { RuleAxisMessage } from "../../../wire/messages";
import type { Answer, Rule, RulesTraits } from "../../../wire/rules/rules";
import { type Stress, stressTrait } from "../../../wire/shared_stress";

export interface State {
  readonly row: number;
  readonly pi: number;
  /** Null for classes, and where an interval was given. */
  readonly t: number | null;
  /** What a slider is held at, not asked for yet. */
  readonly sliding: Partial<Pick<State, "pi" | "t">> | null;
  /** Which minimal set is shown. */
  readonly rule: number;
  /** Edges that a person moved; null until they do. */
  readonly moved: Moved | null;
  /** Positions of the rows selected, ascending. */
  readonly selection: readonly number[];
  /** Followed, never set. */
  readonly stress: Stress;
}

export interface Moved {
  /** The rule they are of. */
  readonly of: Rule;
  readonly sides: readonly Side[];
}

type Chosen = Omit<State, "moved" | "sliding">;

/** The part of the state that the traits decide. */
export function stateFromTraits(traits: Pick<RulesTraits, keyof Chosen>): Chosen {
  const { row, pi, t, rule, selection, stress } = traits;
  return {
    row: row ?? -1,
    pi: pi ?? 0.95,
    t: t ?? null,
    rule: Math.max(0, rule ?? 0),
    selection: selection ?? [],
    stress: stressTrait(stress),
  };
}

/** π and t as a slider is held, else as they were chosen. */
export function aimed({ pi, t, sliding }: State): Pick<State, "pi" | "t"> {
  return { pi, t, ...sliding };
}

/** The rule shown: the one chosen, the last where there are fewer. */
export function ruleOf(
  { rules }: Answer,
  { rule }: Pick<State, "rule">,
): { rule: Rule | null; place: number } {
  const place = Math.max(0, Math.min(rule, rules.length - 1));
  return { rule: rules[place] ?? null, place };
}

/** What the rule as grown asks of an axis. */
export function grownSide({ inside, missing }: RuleAxisMessage): Side {
  return { inside, missing };
}

/** The sides shown of a rule: those moved, or as grown. */
export function sidesOf(rule: Rule, moved: Moved | null): readonly Side[] {
  return moved?.of === rule ? moved.sides : rule.axes.map(grownSide);
}

/** The cell of the row's own value; -1 where it is missing. */
export function ownCell({ cuts, value, kind }: RuleAxisMessage): number {
  if (value === null) return -1;
  if (kind === "levels") return value;
  const cell = cuts.findIndex((cut) => value <= cut);
  return cell < 0 ? cuts.length : cell;
}

/** First and last cell inside; first > last where none is. */
export function spanOf({ inside }: Side): readonly [number, number] {
  const first = inside.indexOf(true);
  return first < 0 ? [1, 0] : [first, inside.lastIndexOf(true)];
}

/** A side with one edge at another cell. */
export function withEdge(side: Side, edge: "lower" | "upper", cell: number): Side {
  const [first, last] = spanOf(side);
  const [from, upto] = edge === "lower" ? [cell, last] : [first, cell];
  return { ...side, inside: side.inside.map((_, at) => at >= from && at <= upto) };
}

export function sameSide(a: Side, b: Side): boolean {
  return a.missing === b.missing && a.inside.every((is, cell) => is === b.inside[cell]);
}

/** The sides with one changed; null once all are as grown. */
export function moveSide(rule: Rule, moved: Moved | null, axis: number, side: Side): Moved | null {
  const sides = sidesOf(rule, moved).map((one, place) => (place === axis ? side : one));
  return sides.every((one, place) => sameSide(one, grownSide(rule.axes[place] as RuleAxisMessage)))
    ? null
    : { of: rule, sides };
}
