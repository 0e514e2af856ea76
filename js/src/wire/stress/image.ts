/** The message of a stress image view: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, uint8 } from "../buffers";
import { type StressImageMessage, stressImageMessage } from "../messages";
import { type Judged, judgedFrom } from "../reasons";
import { WireError } from "../schema";

export type { StressImageMessage } from "../messages";

export type Against = "opposite" | "unstressed";

export type StressImageTraits = {
  tau: number;
  against: string;
  message: unknown;
  answers: Bytes;
  population: Bytes;
  reasons: Bytes;
};

type Part = "value" | "lower" | "upper";
type Quantity = "target" | "ess" | "pareto_k";

/** Arrays over the pixels in C order: row, column, channel. */
export interface StressImage {
  readonly message: StressImageMessage;
  readonly zero: number;
  readonly pixels: number;
  /** Empty for an interval that did not come along. */
  readonly map: (metric: number, tau: number, part: Part) => Float32Array;
  /** Codes among the message's reasons. */
  readonly reason: (metric: number, tau: number) => Uint8Array;
  readonly judged: (metric: number, tau: number, pixel: number) => Judged;
  readonly population: (tau: number, quantity: Quantity) => Float32Array;
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressImage(
  traits: Pick<StressImageTraits, "message" | "answers" | "population" | "reasons">,
): StressImage {
  const message = stressImageMessage(traits.message, "message");
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed mean');
  const [height, width, channels] = message.shape;
  if (!message.shape.every((size) => Number.isInteger(size) && size > 0)) {
    throw new WireError('"shape" must be height, width and channels');
  }
  const pixels = height * width * channels;
  const parts = message.intervals ? 3 : 1;
  const n = message.taus.length;
  const answers = float32("answers", traits.answers, message.metrics.length * n * parts * pixels);
  const population = float32("population", traits.population, n * 3 * pixels);
  const reasons = uint8("reasons", traits.reasons, message.metrics.length * n * 2 * pixels);
  const row = <A extends Float32Array | Uint8Array>(values: A, k: number) =>
    values.subarray(k * pixels, (k + 1) * pixels) as A;
  const bytes = (metric: number, tau: number, part: 0 | 1) => row(reasons, 2 * (metric * n + tau) + part);
  return {
    message,
    zero,
    pixels,
    map: (metric, tau, part) => {
      const place = ["value", "lower", "upper"].indexOf(part);
      return place < parts ? row(answers, (metric * n + tau) * parts + place) : new Float32Array(0);
    },
    reason: (metric, tau) => bytes(metric, tau, 0),
    judged: (metric, tau, pixel) => {
      const [code, byte] = ([0, 1] as const).map((part) => bytes(metric, tau, part)[pixel] as number);
      return judgedFrom(message.reliability, code as number, byte as number);
    },
    population: (tau, quantity) => row(population, tau * 3 + ["target", "ess", "pareto_k"].indexOf(quantity)),
  };
}
