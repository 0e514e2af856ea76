/** Sentences of a pooled boundary, and the order its features stand in. */

import { MIN_SIZE } from "../../../solve/student_t";
import { quantityFormat } from "../../../theme/formats";
import type { Order, PooledData, Weights } from "../../../wire/boundary/pooled";
import type { PooledFactsMessage, PooledMessage } from "../../../wire/messages";
import { LEVELS, type Level, levelOf } from "../../../wire/reasons";
import { judgeWeights, reasonWords } from "../../shared/reliability";
import { capitalize, type Sentence } from "../../shared/words";
import type { DerivedView } from "./derive_view";

/** Weights lie in [−1, 1]: three decimals. */
const three = quantityFormat("value", 1, 3);
export const weightWords = three.bare;
const NAMED = 3;

/** The ends of an interval; "to", since a dash would stand beside a minus. */
export function endsWords({ lower, upper }: Weights, at: number): string {
  const [low, high] = [lower[at] as number, upper[at] as number];
  return Number.isNaN(low) ? "no interval" : `${three.bare(low)} to ${three.bare(high)}`;
}

/** Positions of features, the largest by an order first. */
export function ordered({ before }: PooledData, { now }: DerivedView, order: Order): number[] {
  const [old, present] = [before.direction.value, (now ?? before).direction.value];
  const size: Record<Order, (k: number) => number> = {
    before: (k) => Math.abs(old[k] as number),
    now: (k) => Math.abs(present[k] as number),
    change: (k) => Math.abs((present[k] as number) - (old[k] as number)),
  };
  return [...old.keys()].sort((a, b) => size[order](b) - size[order](a) || a - b);
}

/** What carries the decisions, and what the stress changes of it. */
export function readingWords(data: PooledData, view: DerivedView): string {
  const { features } = data.message;
  const weights = (view.now ?? data.before).direction.value;
  const largest = ordered(data, view, "now")
    .slice(0, NAMED)
    .map((k) => `${features[k]} ${three.bare(weights[k] as number)}`);
  const carried = `Carried most by ${largest.join(", ")}.`;
  if (!view.now) return carried;
  const most = ordered(data, view, "change")[0] as number;
  const [from, to] = [data.before.direction.value[most] as number, weights[most] as number];
  if (three.bare(from) === three.bare(to)) return `${carried} No weight changes in the third decimal.`;
  return `${carried} Changed most: ${features[most]}, ${three.bare(from)} → ${three.bare(to)}.`;
}

function doubtOf(
  { doubts, most_wobble, few }: PooledMessage,
  { size, wobble }: PooledFactsMessage,
): [string, Level] {
  if (size < MIN_SIZE) return [doubts.alone, 2];
  if (Number.isNaN(wobble)) return [doubts.cancel, 2];
  if (wobble > most_wobble) return [doubts.unsettled, 2];
  return size < few ? [doubts.few, 1] : ["", 0];
}

/** How far what is shown can be relied on: the graver of what the directions say and what the weights do. */
export function trustWords(message: PooledMessage, view: DerivedView): Sentence & { readonly level: Level } {
  const { facts, population } = view;
  const [doubt, level] = doubtOf(message, facts);
  const weighs = view.now !== null || message.weighted;
  const judged = judgeWeights(message.reliability, facts.df, population.pareto_k, population.carriers);
  const heavy = weighs ? levelOf(message.reliability, judged.reason) : 0;
  const why = heavy > level ? reasonWords(message.reliability, [], judged) : doubt;
  const worst = Math.max(heavy, level) as Level;
  const rest = why || "nothing speaks against the pooled direction and its intervals";
  return { strong: `${capitalize(LEVELS[worst])}:`, rest: ` ${rest}.`, level: worst };
}

/** What the intervals shown cover. */
export function coverageWords(message: PooledMessage, { now }: DerivedView): string {
  return now ? message.interval_stressed : message.interval;
}

/** For a screen reader, once all has come to rest. */
export function spokenWords(data: PooledData, view: DerivedView): string {
  const { words, problem } = view.population;
  if (problem) return `The stress cannot be shown: ${problem}.`;
  const of = view.now ? `${capitalize(words)}. ` : "The data as they are. ";
  return view.stale ? "" : of + readingWords(data, view);
}
