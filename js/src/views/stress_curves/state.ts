/** What the panel shows, as positions into the message; and the way there from the traits. */

import { bisectCenter } from "d3-array";
import type { RankBy, StressCurves, StressCurvesMessage, StressCurvesTraits } from "../../wire/stress_curves";

/** A position in `message.indices`, or both rates of the ROC plane at once. */
export type IndexChoice = number | "roc";

export interface State {
  /** Position in `message.taus`. */
  readonly tau: number;
  readonly feature: number;
  readonly index: IndexChoice;
  readonly rankBy: RankBy;
  readonly query: string;
  /** How many features are listed. */
  readonly limit: number;
}

export const FIRST_SHOWN = 8;
export const SHOWN_MORE = 40;

export interface RocIndices {
  readonly falsePositive: number;
  readonly truePositive: number;
}

/** Where the two rates are, when the message has both. */
export function rocIndices({ indices }: StressCurvesMessage): RocIndices | null {
  const falsePositive = indices.findIndex(({ name }) => name === "false_positive_rate");
  const truePositive = indices.findIndex(({ name }) => name === "true_positive_rate");
  return falsePositive < 0 || truePositive < 0 ? null : { falsePositive, truePositive };
}

export function nearestTau(taus: readonly number[], tau: number): number {
  return bisectCenter(taus, tau);
}

export function indexNamed(message: StressCurvesMessage, name: string): IndexChoice | undefined {
  if (name === "roc" && rocIndices(message)) return "roc";
  const found = message.indices.findIndex((index) => index.name === name);
  return found < 0 ? undefined : found;
}

/** The part of the state that the traits decide; a name nobody knows keeps what was there. */
export function stateFromTraits(
  data: StressCurves,
  traits: Pick<StressCurvesTraits, "tau" | "feature" | "index" | "rank_by">,
  before: Pick<State, "feature" | "index"> = { feature: 0, index: 0 },
): Pick<State, "tau" | "feature" | "index" | "rankBy"> {
  const { message, zero } = data;
  const feature = message.features.findIndex(({ name }) => name === traits.feature);
  return {
    tau: Number.isFinite(traits.tau) ? nearestTau(message.taus, traits.tau) : zero,
    feature: feature < 0 ? before.feature : feature,
    index: indexNamed(message, traits.index) ?? before.index,
    rankBy: traits.rank_by === "slope" ? "slope" : "difference",
  };
}

export function indexName(message: StressCurvesMessage, choice: IndexChoice): string {
  return choice === "roc" ? "roc" : (message.indices[choice]?.name ?? "");
}
