/** From a state to what is shown: weights pooled here, or the kernel's last answer. */

import { poolRows } from "../../../solve/boundary/pooled";
import { type Carriers, NO_FEW } from "../../../solve/stress/carriers";
import { createSolve, type Solve } from "../../../solve/stress/solutions";
import type { Pooled, PooledAnswer, PooledData } from "../../../wire/boundary/pooled";
import type { Columns } from "../../../wire/columns";
import type { PooledFactsMessage, PooledProgressMessage } from "../../../wire/messages";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import type { Distances } from "../../shared/population";
import { populationWords } from "../../shared/population_words";
import type { State } from "./state";

/** The population under the stress; `problem` says why there is none. */
export interface Population extends Distances {
  readonly stressed: boolean;
  readonly words: string;
  readonly problem: string;
  /** The few rows that carry the weight moved. */
  readonly carriers: Carriers;
}

export interface DerivedView {
  readonly state: State;
  /** What the kernel is at. */
  readonly progress: PooledProgressMessage | null;
  /** Whether the rows pooled are those selected. */
  readonly ofSelected: boolean;
  /** Under the stress; null without one, or where there is no answer. */
  readonly now: Pooled | null;
  /** Of what is shown. */
  readonly facts: PooledFactsMessage;
  readonly population: Population;
  /** True while what is shown answers an earlier stress. */
  readonly stale: boolean;
}

type Answered = Omit<DerivedView, "state" | "progress" | "ofSelected">;

const NOBODY = "none of the rows pooled has weight under it";
const TOO_MANY = "these are too many rows for a page without a kernel";

/** Whether the rows selected are those that were asked to be pooled. */
export function areGiven({ message, given }: PooledData, selection: readonly number[]): boolean {
  if (message.given === "all") return selection.length === message.n_rows;
  return given !== null && given.length === selection.length && given.every((row, k) => row === selection[k]);
}

/**
 * @param answer the kernel's last
 * @param solveOn how stresses are solved on the columns in the page
 */
export function createViewDeriver(
  data: PooledData,
  answer: () => PooledAnswer | null,
  solveOn: (columns: Columns) => Solve = createSolve,
) {
  const { message, rows, columns } = data;
  const shape = {
    nFeatures: message.features.length,
    parted: message.parted,
    confidence: message.confidence,
  };
  const unstressed: Population = { ...message.population, stressed: false, words: "", problem: "" };
  const rest: Answered = { now: null, facts: message.facts, population: unstressed, stale: false };
  const solve = message.shipped && columns ? solveOn(columns) : null;
  let last: Answered = rest;

  const refused = (why: string): Answered => {
    const none = Number.NaN;
    const nothing = { ess: none, kl: none, tv: none, pareto_k: none, carriers: NO_FEW };
    const problem = why.replace(/\.$/, "");
    return { ...rest, population: { ...nothing, stressed: true, words: "", problem } };
  };

  const solveHere = (stress: Stress): Answered => {
    if (!rows || !columns || !solve) return rest;
    const solved = solve(stress);
    if (solved.weights.length === 0) return refused(solved.reason);
    const found = poolRows(rows, solved.weights, shape);
    if (!found) return refused(NOBODY);
    const { ess, kl, tv, pareto_k, carriers } = solved;
    const words = populationWords(columns, stress, solved.achieved);
    const population = { ess, kl, tv, pareto_k, carriers, stressed: true, words, problem: "" };
    return { now: found.pooled, facts: found.facts, population, stale: false };
  };

  const fromKernel = (stress: Stress): Answered => {
    const given = answer();
    if (!given || !sameStress(given.stress, stress)) {
      return message.live ? { ...last, stale: true } : refused(TOO_MANY);
    }
    const { error, words, facts, population, pooled } = given;
    if (error || !facts || !population) return refused(error);
    return {
      now: pooled,
      facts,
      population: { ...population, stressed: true, words, problem: "" },
      stale: false,
    };
  };

  const compute = (stress: Stress): Answered => {
    if (!isStressed(stress)) return rest;
    if (message.unstressable) return refused(message.unstressable);
    const strange = Object.keys(stress.taus).find((name) => !columns?.place.has(name));
    if (strange !== undefined) return refused(`there is no feature “${strange}” here`);
    return message.shipped ? solveHere(stress) : fromKernel(stress);
  };

  let known: readonly number[] | null = null;
  let ofSelected = false;
  return (state: State, progress: PooledProgressMessage | null): DerivedView => {
    last = compute(state.stress);
    if (state.selection !== known) ofSelected = areGiven(data, state.selection);
    known = state.selection;
    return { state, progress, ofSelected, ...last };
  };
}
