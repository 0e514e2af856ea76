/** From a state to everything the panel shows, with its own arithmetic or the kernel's last answer. */

import { binNumbers } from "../../../solve/effects/bins";
import { dependenceNumbers } from "../../../solve/effects/dependence";
import type { Bounds, EffectNumbers, Moved } from "../../../solve/effects/numbers";
import { windowNumbers } from "../../../solve/effects/windows";
import { type Carriers, NO_FEW } from "../../../solve/stress/carriers";
import { degreesOfFreedom } from "../../../solve/stress/concentration";
import { createSolve, type Solve } from "../../../solve/stress/solutions";
import type { Columns } from "../../../wire/columns";
import type { Answer, EffectGroups } from "../../../wire/effects/effect";
import {
  type EffectMessage,
  type Kind,
  type KnownCurve,
  type Part,
  samePart,
} from "../../../wire/effects/effect";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { populationWords } from "../../shared/population_words";
import { kindsOf, type State, sameNames } from "./state";

/** The population under the stress, and how far it is from the rows as they are. */
export interface Population {
  readonly stressed: boolean;
  readonly words: string;
  readonly ess: number;
  readonly kl: number;
  readonly tv: number;
  readonly pareto_k: number;
  /** The few rows that carry the weight moved. */
  readonly carriers: Carriers;
  /** (Σw²)² / Σw⁴: the degrees of freedom that the weights leave. */
  readonly df: number;
  /** Why there is no such population; "" where there is one. */
  readonly problem: string;
}

/** Another kind of effect, to be drawn over the chosen one. */
export interface Overlay {
  readonly kind: Kind;
  /** The letters of its kind, to stand beside its curve. */
  readonly name: string;
  readonly part: Part;
  readonly value: ArrayLike<number>;
}

export interface DerivedView {
  readonly part: Part;
  /** False while the effect chosen is not there and the last one stands in its place. */
  readonly chosen: boolean;
  readonly output: number;
  readonly known: KnownCurve;
  readonly overlays: readonly Overlay[];
  /** The groups picked; null for none, and before they came. */
  readonly groups: EffectGroups | null;
  /** Whether they are of another population than the one shown. */
  readonly groupsLate: boolean;
  /** Total variation that the bounds shown are for: the one chosen, exactly that of the stress, or an earlier one. */
  readonly distance: number;
  /** True where that is the stress's own. */
  readonly exactly: boolean;
  /** Why another distance cannot be chosen; "" where it can. */
  readonly fixed: string;
  /** Bounds at that distance; null where only the kernel could say, and for two features, which have no band. */
  readonly bounds: Bounds | null;
  /** The effect under the stress; null without one, or where there is no answer. */
  readonly moved: Moved | null;
  readonly population: Population;
  /** Why there is no band; "" where there is one, or it is on its way. */
  readonly unbounded: string;
  /** True while `moved`, `bounds` or `population` answer an earlier question. */
  readonly stale: boolean;
}

export interface Source {
  readonly message: EffectMessage;
  readonly columns: Columns | null;
  parts: readonly Part[];
  answer: Answer | null;
  groups: EffectGroups | null;
}

export function numbersOf(part: Part, output: number, { base, n_rows }: EffectMessage): EffectNumbers | null {
  const rows = part.rows?.(output);
  if (!rows) return null;
  const known = part.known(output);
  if (rows.kind === "curves") return dependenceNumbers(known, rows.values, base, part);
  if (rows.kind === "windows") return windowNumbers(known, rows.groups, n_rows, base, part);
  const { points } = part.axes[0] as Part["axes"][number];
  const lipschitz = part.lipschitz?.[output] ?? null;
  const bins = {
    local: rows.groups,
    position: rows.position,
    points: lipschitz === null ? null : points.map((point) => point ?? Number.NaN),
    lipschitz,
  };
  return binNumbers(known.value, bins, base, part.quantiles);
}

/** Whether the page has the columns that a stress moves and holds. */
export function pageSolves({ columns, message }: Source, stress: Stress): boolean {
  if (!isStressed(stress)) return true;
  if (!columns?.message.shipped || !(message.columns_complete || stress.hold === "none")) return false;
  return Object.keys(stress.taus).every((name) => columns.place.has(name));
}

function unstressedPopulation({ message }: Source): Population {
  const ess = message.base
    ? message.base.reduce((a, b) => a + b, 0) ** 2 / message.base.reduce((a, b) => a + b * b, 0)
    : message.n_rows;
  return {
    stressed: false,
    words: "",
    ess,
    kl: 0,
    tv: 0,
    pareto_k: message.base ? Number.NaN : 0,
    carriers: NO_FEW,
    df: message.base ? degreesOfFreedom(message.base) : message.n_rows,
    problem: "",
  };
}

function noPopulation(words: string): Population {
  const none = Number.NaN;
  return {
    stressed: true,
    words: "",
    ess: none,
    kl: none,
    tv: none,
    pareto_k: none,
    carriers: NO_FEW,
    df: none,
    problem: words,
  };
}

/** Why a page without rows, bands and kernel has one band, or none. */
function fixedWords(some: boolean): string {
  const went = some ? "the band of this share alone is in it" : "no band is in it";
  return `This page has too many rows, classes or points to carry them: ${went}. Run the cell again for others.`;
}

/**
 * Remembers what is dear: sorted rows, the weights of a stress, the last answer to grey.
 *
 * @param solveOn how stresses are solved on the columns in the page
 */
export function createViewDeriver(source: Source, solveOn: (columns: Columns) => Solve = createSolve) {
  const solveHere = source.columns?.message.shipped ? solveOn(source.columns) : null;
  const made = new Map<Part, Map<number, EffectNumbers | null>>();
  let last: DerivedView | null = null;

  const numbers = (part: Part, output: number): EffectNumbers | null => {
    const of = made.get(part) ?? new Map<number, EffectNumbers | null>();
    made.set(part, of);
    if (!of.has(output)) of.set(output, numbersOf(part, output, source.message));
    return of.get(output) ?? null;
  };

  /** The weights of a stress; null without one, "none" where there are none, "late" until the kernel has them. */
  const solve = (
    stress: Stress,
  ): { weights: Float64Array | "none" | "late" | null; population: Population } => {
    if (!isStressed(stress)) return { weights: null, population: unstressedPopulation(source) };
    const { message, columns, answer } = source;
    if (message.unstressable) return { weights: "none", population: noPopulation(message.unstressable) };
    if (pageSolves(source, stress) && columns && solveHere) {
      const solved = solveHere(stress);
      if (solved.weights.length === 0) return { weights: "none", population: noPopulation(solved.reason) };
      const { ess, kl, tv, pareto_k, carriers, weights } = solved;
      const words = populationWords(columns, stress, solved.achieved);
      const df = degreesOfFreedom(weights);
      const far = { ess, kl, tv, pareto_k, carriers, df };
      return { weights, population: { stressed: true, words, ...far, problem: "" } };
    }
    if (!message.live && !(answer && sameStress(answer.stress, stress))) {
      const strange = Object.keys(stress.taus).find((name) => columns && !columns.place.has(name));
      const why = strange
        ? `there is no feature “${strange}” here`
        : "these are too many rows for a page without a kernel";
      return { weights: "none", population: noPopulation(why) };
    }
    if (!answer || !sameStress(answer.stress, stress)) {
      return { weights: "late", population: last?.population ?? unstressedPopulation(source) };
    }
    if (answer.error) return { weights: "none", population: noPopulation(answer.error) };
    const { ess, kl, tv, pareto_k, carriers, df, words } = answer;
    const population = { stressed: true, words, ess, kl, tv, pareto_k, carriers, df, problem: "" };
    return { weights: answer.weights ?? "none", population };
  };

  const find = (features: readonly string[], kind: Kind) =>
    source.parts.find((part) => samePart(part, features, kind));

  const answers = (state: State): Answer | null => {
    const { answer, message } = source;
    const same =
      answer &&
      sameNames(answer.features, state.features) &&
      answer.target_class === message.classes[state.output] &&
      sameStress(answer.stress, state.stress);
    return same ? answer : null;
  };

  const compute = (state: State): DerivedView => {
    const { message } = source;
    const epsilon = message.epsilons[state.epsilon] as number;
    const wanted = find(state.features, state.kind);
    const part = wanted ?? last?.part ?? (message.parts[0] as Part);
    const output = wanted ? state.output : (last?.output ?? state.output);
    const solved = solve(state.stress);
    const kernel = answers(state);
    const local = numbers(part, output);
    const remote = kernel?.effects.get(part.kind);
    const keep = last?.part === part && last.output === output ? last : null;

    let stale = solved.weights === "late";
    // an answer without numbers is one: there are none
    const refused = local || remote ? "" : (kernel?.error ?? "");
    const population = refused && isStressed(state.stress) ? noPopulation(refused) : solved.population;
    const { problem } = population;
    let moved: Moved | null = null;
    if (problem === "" && isStressed(state.stress)) {
      if (local)
        moved = solved.weights instanceof Float64Array ? local.under(solved.weights) : (keep?.moved ?? null);
      else moved = remote?.moved ?? keep?.moved ?? null;
      stale ||= !local && !remote && !kernel && message.live;
    }
    const two = part.axes.length === 2;
    const exactly = !two && state.follow && moved !== null && moved.possible > 0;
    const fixed = two || local || part.bands || message.live ? "" : fixedWords(remote !== undefined);
    let bounds: Bounds | null = null;
    let distance = exactly ? population.tv : epsilon;
    if (two) bounds = null;
    else if (exactly) bounds = moved;
    else if (local) bounds = local.bounds(epsilon);
    else if (part.bands) bounds = part.bands(output, state.epsilon);
    else if (kernel && remote && (fixed || kernel.epsilon === epsilon)) {
      bounds = remote;
      distance = kernel.epsilon;
    } else if (kernel?.epsilon !== epsilon && message.live) {
      bounds = keep?.bounds ?? null;
      distance = keep?.bounds ? keep.distance : epsilon;
      stale = true;
    }
    const overlays = kindsOf(state)
      .slice(1)
      .flatMap((kind): Overlay[] => {
        const other = find(state.features, kind);
        if (!other) return [];
        const { weights } = solved;
        const rows = weights instanceof Float64Array ? numbers(other, output) : null;
        const value =
          rows && weights instanceof Float64Array
            ? rows.under(weights).curve.value
            : (kernel?.effects.get(kind)?.moved.curve.value ?? other.known(output).value);
        const name = message.kinds.find((one) => one.name === kind)?.short ?? "";
        return [{ kind, name, part: other, value }];
      });
    const found = source.groups;
    const groups =
      found && found.by === state.by && samePart(part, found.features, found.kind) ? found : null;
    return {
      part,
      chosen: wanted !== undefined,
      output,
      known: part.known(output),
      overlays: wanted ? overlays : [],
      groups,
      groupsLate: groups !== null && !sameStress(groups.stress, state.stress),
      distance,
      exactly,
      fixed,
      bounds,
      moved,
      population,
      unbounded: bounds ? "" : refused,
      stale,
    };
  };

  return {
    derive(state: State): DerivedView {
      last = compute(state);
      return last;
    },
    /** Sort a little ahead of the first slider; true when nothing is left. */
    prepare(): boolean {
      return last ? (numbers(last.part, last.output)?.prepare() ?? true) : true;
    },
  };
}
