/** The message of a stress image view: the same words as in Python, checked once, then only read. */

import { type Arrays, arraysOf, float32, VALUES } from "../buffers";
import { type StressImageViewTraits, stressImageMessage } from "../messages";
import { reasonsOf } from "../reasons";
import { WireError } from "../schema";
import { zeroOf } from "../shared_stress";

export type Against = "opposite" | "unstressed";

const POPULATION = ["target", "ess", "pareto_k"] as const;
type Part = (typeof VALUES)[number];
type Quantity = (typeof POPULATION)[number];

/** Arrays over the pixels in C order: row, column, channel. */
export type StressImage = ReturnType<typeof decodeStressImage>;

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressImage(
  traits: Pick<StressImageViewTraits, "message" | "answers" | "population" | "reasons">,
) {
  const message = stressImageMessage(traits.message, "message");
  const { layout, taus, metrics, intervals, shape } = message;
  const zero = zeroOf(taus);
  if (!shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw new WireError('"shape" must be height, width and channels');
  }
  const pixels = shape.reduce((product, size) => product * size, 1);
  const sizes = { pixel: pixels, tau: taus.length, metric: metrics.length };
  const sent = intervals ? VALUES : (["value"] as const);
  const values = float32("answers", traits.answers);
  const answers: Partial<Arrays<Part, Float32Array>> = arraysOf(
    "answers",
    values,
    layout.answers,
    sent,
    sizes,
  );
  const moved = float32("population", traits.population);
  const population = arraysOf("population", moved, layout.population, POPULATION, sizes);
  const reasons = reasonsOf(message, traits.reasons, sizes);
  return {
    message,
    zero,
    pixels,
    /** Empty for an interval that did not come along. */
    map: (metric: number, tau: number, part: Part) => answers[part]?.({ metric, tau }) ?? new Float32Array(0),
    /** Codes among the message's reasons. */
    reason: (metric: number, tau: number) => reasons.reason({ metric, tau }),
    judged: (metric: number, tau: number, pixel: number) => reasons.judged({ metric, tau, pixel }),
    population: (tau: number, quantity: Quantity) => population[quantity]({ tau }),
  };
}
