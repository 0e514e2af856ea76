/** What the panel shows, as positions into the message; and the way there from the traits. */

import { bisectCenter } from "../../../solve/bisect";
import type { StressCurvesMessage } from "../../../wire/messages";
import { type Hold, readStress, type Stress } from "../../../wire/shared_stress";
import type {
  Groups,
  ManyGroups,
  RankBy,
  Shift,
  StressCurves,
  StressCurvesTraits,
} from "../../../wire/stress/curves";
import { movedWords, tauWords } from "../../shared/words";

const HOLD_WORDS: Record<Hold, string> = {
  none: "nothing held",
  means: "the other means held",
  uncorrelated: "the other means held, uncorrelated",
};

/** A stress of several features, of one that is not here, or with something else held. */
function foreignWords({ features, hold }: StressCurvesMessage, stress: Stress): string {
  const moved = Object.entries(stress.taus);
  const strange = moved.find(([name]) => !features.some((feature) => feature.name === name));
  const why = strange
    ? `there is no feature ${strange[0]} here`
    : moved.length > 1
      ? "these curves move one feature at a time"
      : `these curves are with ${HOLD_WORDS[hold]}, that stress with ${HOLD_WORDS[stress.hold]}`;
  return `The stress set elsewhere moves ${movedWords(moved)}, and is not what is shown: ${why}.`;
}

/** A stress between two steps. */
function farWords(tau: number, near: number): string {
  return `The stress set elsewhere is ${tauWords(tau)}; shown is the nearest step of these curves, ${tauWords(near)}.`;
}

/** The groups to show; null where all rows are shown together, or their numbers are not here. */
export function groupsOf({ message }: StressCurves, { by, feature, many, shift }: State): Groups | null {
  if (by === "" || many?.by !== by) return null;
  return many.of(message.features[feature]?.name ?? "", shift);
}

/** A position in `message.metrics`, or both rates of the ROC plane at once. */
export type MetricChoice = number | "roc";

export interface State {
  /** Position in `message.taus`. */
  readonly tau: number;
  readonly feature: number;
  readonly metric: MetricChoice;
  readonly rankBy: RankBy;
  readonly query: string;
  /** How many features are listed. */
  readonly limit: number;
  /** τ that was asked for, where the step shown is the nearest to it; null where it is that step. */
  readonly between: number | null;
  /** Why the shared stress is not what is shown; "" where it is. */
  readonly elsewhere: string;
  /** What rows are told apart by; "" for all together. */
  readonly by: string;
  readonly shift: Shift;
  /** Of the groups the one whose line is in front. */
  readonly group: number;
  /** The groups that came last; null before any did. */
  readonly many: ManyGroups | null;
}

export const FIRST_SHOWN = 8;
export const SHOWN_MORE = 40;

export interface RocMetrics {
  readonly falsePositive: number;
  readonly truePositive: number;
}

/** Where the two rates are, when the message has both. */
export function rocMetrics({ metrics }: StressCurvesMessage): RocMetrics | null {
  const falsePositive = metrics.findIndex(({ name }) => name === "false_positive_rate");
  const truePositive = metrics.findIndex(({ name }) => name === "true_positive_rate");
  return falsePositive < 0 || truePositive < 0 ? null : { falsePositive, truePositive };
}

export function nearestTau(taus: readonly number[], tau: number): number {
  return bisectCenter(taus, tau);
}

export function metricNamed(message: StressCurvesMessage, name: string): MetricChoice | undefined {
  if (name === "roc" && rocMetrics(message)) return "roc";
  const found = message.metrics.findIndex((metric) => metric.name === name);
  return found < 0 ? undefined : found;
}

/** The stress that views share; null where there is none to follow. */
function sharedStress(value: unknown): Stress | null {
  return value === undefined || value === null ? null : readStress(value);
}

/** The step of one feature that shows a stress, τ where it lies beside a step, and the words where that is not the same. */
function shownUnder({ message, zero }: StressCurves, { taus, hold }: Stress, feature: number) {
  const moved = Object.entries(taus);
  const [name, tau] = moved[0] ?? ["", 0];
  if (moved.length === 0) return { feature, tau: zero, between: null, elsewhere: "" };
  const place = message.features.findIndex((one) => one.name === name);
  if (moved.length > 1 || place < 0 || hold !== message.hold) {
    return { feature, tau: zero, between: null, elsewhere: foreignWords(message, { taus, hold }) };
  }
  const step = nearestTau(message.taus, tau);
  const near = message.taus[step] as number;
  return Math.abs(near - tau) < 1e-9
    ? { feature: place, tau: step, between: null, elsewhere: "" }
    : { feature: place, tau: step, between: tau, elsewhere: farWords(tau, near) };
}

/** The part of the state that the traits decide; a name nobody knows keeps what was there. The stress leads. */
export function stateFromTraits(
  data: StressCurves,
  traits: Pick<StressCurvesTraits, "tau" | "feature" | "metric" | "rank_by"> & { stress?: unknown },
  before: Pick<State, "feature" | "metric"> = { feature: 0, metric: 0 },
): Pick<State, "tau" | "feature" | "metric" | "rankBy" | "between" | "elsewhere"> {
  const { message, zero } = data;
  const named = message.features.findIndex(({ name }) => name === traits.feature);
  const feature = named < 0 ? before.feature : named;
  const tau = Number.isFinite(traits.tau) ? nearestTau(message.taus, traits.tau) : zero;
  const shared = sharedStress(traits.stress);
  const shown = shared ? shownUnder(data, shared, feature) : { feature, tau, between: null, elsewhere: "" };
  return {
    ...shown,
    metric: metricNamed(message, traits.metric) ?? before.metric,
    rankBy: traits.rank_by === "slope" ? "slope" : "difference",
  };
}

export function metricName(message: StressCurvesMessage, choice: MetricChoice): string {
  return choice === "roc" ? "roc" : (message.metrics[choice]?.name ?? "");
}
