/** The message of a stress image view: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import { ascending, flag, list, number, record, text, versionOf } from "../fields";
import { checkMetrics, type MetricMessage } from "../metric";
import { WireError } from "../wire_error";

const VERSION = 1;

export type Against = "opposite" | "unstressed";

export interface StressImageMessage {
  readonly version: typeof VERSION;
  readonly title: string;
  readonly n_rows: number;
  /** Height, width, channels. */
  readonly shape: readonly [number, number, number];
  readonly taus: readonly number[];
  readonly confidence: number;
  readonly metrics: readonly MetricMessage[];
  /** Whether the ends of the intervals came along. */
  readonly intervals: boolean;
  readonly notes: readonly string[];
}

export type StressImageTraits = {
  tau: number;
  against: string;
  message: unknown;
  answers: Bytes;
  population: Bytes;
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
  readonly population: (tau: number, quantity: Quantity) => Float32Array;
}

function checkMessage(value: unknown): StressImageMessage {
  const message = record(value, "message");
  const version = versionOf(message.version, VERSION);
  const shape = list(message.shape, "shape").map((size) => number(size, "shape"));
  if (shape.length !== 3 || shape.some((size) => !(Number.isInteger(size) && size > 0))) {
    throw new WireError('"shape" must be height, width and channels');
  }
  return {
    version,
    title: text(message.title, "title"),
    n_rows: number(message.n_rows, "n_rows"),
    shape: shape as [number, number, number],
    taus: ascending(
      list(message.taus, "taus").map((tau) => number(tau, "taus")),
      "taus",
    ),
    confidence: number(message.confidence, "confidence"),
    metrics: checkMetrics(message.metrics),
    intervals: flag(message.intervals, "intervals"),
    notes: list(message.notes, "notes").map((note) => text(note, "notes")),
  };
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressImage(
  traits: Pick<StressImageTraits, "message" | "answers" | "population">,
): StressImage {
  const message = checkMessage(traits.message);
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed mean');
  const [height, width, channels] = message.shape;
  const pixels = height * width * channels;
  const parts = message.intervals ? 3 : 1;
  const n = message.taus.length;
  const answers = float32("answers", traits.answers, message.metrics.length * n * parts * pixels);
  const population = float32("population", traits.population, n * 3 * pixels);
  const row = (values: Float32Array, k: number) => values.subarray(k * pixels, (k + 1) * pixels);
  return {
    message,
    zero,
    pixels,
    map: (metric, tau, part) => {
      const place = ["value", "lower", "upper"].indexOf(part);
      return place < parts ? row(answers, (metric * n + tau) * parts + place) : new Float32Array(0);
    },
    population: (tau, quantity) => row(population, tau * 3 + ["target", "ess", "pareto_k"].indexOf(quantity)),
  };
}
