/** What the boundary panel shows, and the way there from the traits. */

import {
  type Answer,
  type BoundaryTraits,
  type Bounds,
  bounds,
  type Edit,
  type Edits,
  edits,
  type Query,
} from "../../../wire/boundary/boundary";

export interface State {
  readonly row: number;
  /** The class searched; "" for the nearest of any. */
  readonly target: string;
  readonly fixed: readonly string[];
  readonly bounds: Bounds;
  /** Values in place of the row's own, about which the kernel is asked. */
  readonly edits: Edits;
  readonly query: Query;
  /** A feature to be shown in the table, ready for another value; a new one each time it is asked for. */
  readonly sought: { readonly name: string } | null;
  /** Where the person is among these answers; null until they move. */
  readonly at: At | null;
}

export interface At {
  readonly answers: readonly Answer[];
  readonly tab: number;
  /** Of the path; null for its first crossing. */
  readonly step: number | null;
}

export const EVERY_ROW: Query = { filter: "all", text: "" };

type Chosen = Pick<State, "row" | "target" | "fixed" | "bounds" | "edits">;

/** The part of the state that the traits decide. */
export function stateFromTraits(
  traits: Pick<BoundaryTraits, "row" | "target" | "fixed" | "bounds" | "edits">,
): Chosen {
  return {
    row: Number.isInteger(traits.row) ? traits.row : 0,
    target: traits.target ?? "",
    fixed: [...(traits.fixed ?? [])],
    bounds: bounds(traits.bounds ?? {}, "bounds"),
    edits: edits(traits.edits ?? {}, "edits"),
  };
}

/** Where a walk starts: at the first crossing, or at the row where nothing is crossed. */
export function firstStep({ path }: Answer): number {
  return Math.max(0, path?.flipped.indexOf(1) ?? 0);
}

/** The answer and the step that are shown. */
export function placeOf(
  answers: readonly Answer[],
  at: At | null,
): { answer: Answer; tab: number; step: number } {
  const here = at?.answers === answers ? at : null;
  const tab = here && answers[here.tab] ? here.tab : 0;
  const answer = answers[tab] as Answer;
  const last = (answer.path?.length.length ?? 1) - 1;
  return { answer, tab, step: Math.min(last, here?.step ?? firstStep(answer)) };
}

/** The bounds with one feature's ends changed; both null leave it out. */
export function withBound(all: Bounds, name: string, ends: Bounds[string]): Bounds {
  const others = Object.entries(all).filter(([other]) => other !== name);
  const free = ends[0] === null && ends[1] === null;
  return Object.fromEntries(free ? others : [...others, [name, ends] as const]);
}

export function withLock(fixed: readonly string[], name: string, locked: boolean): readonly string[] {
  const others = fixed.filter((other) => other !== name);
  return locked ? [...others, name] : others;
}

/** The edits with one feature's value changed; null gives it its own back. */
export function withEdit(all: Edits, name: string, value: Edit | null): Edits {
  const others = Object.entries(all).filter(([other]) => other !== name);
  return Object.fromEntries(value === null ? others : [...others, [name, value]]);
}

/** Whether the answer was searched with these constraints. */
export function isSearched(answer: Answer, state: Pick<State, "fixed" | "bounds">): boolean {
  const names = (fixed: readonly string[]) => [...fixed].sort().join("\n");
  const ends = (all: Bounds) =>
    Object.entries(all)
      .map(([name, [low, high]]) => `${name} ${low} ${high}`)
      .sort()
      .join("\n");
  return names(answer.fixed) === names(state.fixed) && ends(answer.bounds) === ends(state.bounds);
}
