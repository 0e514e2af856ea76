/** The numbers that the kernel answers an effect view where the page has not the rows. */

import type { Band, Moved } from "../../solve/effects/numbers";
import { float32 } from "../buffers";
import { type EffectAnswerMessage, effectAnswerMessage } from "../messages";
import { unlessEmpty, WireError } from "../schema";
import { type EffectMessage, type EffectTraits, type Kind, type Part, samePart } from "./effect";

/** moved, lower, upper, and certified and paper at the distance moved; certified and paper at epsilon */
const BLOCK = 11;

export interface KernelEffect {
  readonly moved: Moved;
  readonly certified: Band;
  readonly paper: Band;
}

export interface Answer extends Omit<EffectAnswerMessage, "weights" | "moves" | "kinds" | "pareto_k"> {
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
  traits: Pick<EffectTraits, "answer" | "answer_floats">,
): Answer | null {
  const answer = answerMessage(traits.answer, "answer");
  if (!answer) return null;
  const floats = float32("answer_floats", traits.answer_floats);
  let at = 0;
  const take = (size: number) => {
    if (at + size > floats.length) throw new WireError('"answer_floats" must hold what the answer announces');
    const taken = Float64Array.from(floats.subarray(at, at + size));
    at += size;
    return taken;
  };
  const { weights: weighted, moves, pareto_k: paretoK, ...rest } = answer;
  const weights = weighted ? take(n_rows) : null;
  const effects = new Map<Kind, KernelEffect>();
  for (const { kind, ...numbers } of moves) {
    const part = parts.find((one) => samePart(one, rest.features, kind));
    if (!part) return null;
    const [value, lower, upper, ...sides] = Array.from({ length: BLOCK }, () => take(part.n_points));
    const band = (first: number): Band => ({
      lower: sides[first] as Float64Array,
      upper: sides[first + 1] as Float64Array,
    });
    const curve = { value, lower, upper } as Moved["curve"];
    const moved = { curve, certified: band(0), paper: band(2), ...numbers };
    effects.set(kind, { moved, certified: band(4), paper: band(6) });
  }
  return { ...rest, paretoK, weights, effects };
}
