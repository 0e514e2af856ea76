/** The numbers that the kernel answers an effect view where the page has not the rows. */

import type { Band, Moved } from "../../solve/effects/numbers";
import { arraysOf, float32, mapValues, VALUES } from "../buffers";
import { type EffectAnswerMessage, effectAnswerMessage, type FeatureEffectViewTraits } from "../messages";
import { unlessEmpty } from "../schema";
import { boundsFrom, type EffectMessage, type Kind, type Part, SIDES, samePart } from "./effect";

const AT_EPSILON = SIDES.map((side) => `epsilon_${side}` as const);

export interface KernelEffect {
  readonly moved: Moved;
  readonly certified: Band;
  readonly paper: Band;
}

export interface Answer
  extends Omit<EffectAnswerMessage, "weights" | "moves" | "kinds" | "layout" | "pareto_k"> {
  readonly paretoK: number;
  /** The stressed rows, mean 1, where the page asked for them. */
  readonly weights: Float64Array | null;
  readonly effects: ReadonlyMap<Kind, KernelEffect>;
}

const answerMessage = unlessEmpty(effectAnswerMessage);

/** The kernel's last answer; null before the first, or where it speaks of effects that are not there. */
export function decodeAnswer(
  { n_rows }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<FeatureEffectViewTraits, "answer" | "answer_floats">,
): Answer | null {
  const answer = answerMessage(traits.answer, "answer");
  if (!answer) return null;
  const floats = float32("answer_floats", traits.answer_floats);
  const { weights: weighted, moves, layout, pareto_k: paretoK, ...rest } = answer;
  const find = <N extends string>(of: typeof layout, names: readonly N[], sizes: Record<string, number>) =>
    mapValues(arraysOf("answer_floats", floats, of, names, sizes), (read) => Float64Array.from(read()));
  const { weights = null } = weighted ? find(layout, ["weights"], { row: n_rows }) : {};
  const effects = new Map<Kind, KernelEffect>();
  for (const { kind, layout: own, ...numbers } of moves) {
    const part = parts.find((one) => samePart(one, rest.features, kind));
    if (!part) return null;
    const sizes = { point: part.n_points };
    const curve: Moved["curve"] = find(own, VALUES, sizes);
    const bounds = boundsFrom(find(own, SIDES, sizes));
    const moved = { curve, ...bounds, ...numbers };
    const at = find(own, AT_EPSILON, sizes);
    effects.set(kind, {
      moved,
      certified: { lower: at.epsilon_certified_lower, upper: at.epsilon_certified_upper },
      paper: { lower: at.epsilon_paper_lower, upper: at.epsilon_paper_upper },
    });
  }
  return { ...rest, paretoK, weights, effects };
}
