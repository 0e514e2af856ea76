/** The message of a stress surface view: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, planes } from "../buffers";
import { ascending, list, number, oneOf, record, text, versionOf } from "../fields";
import { checkMetrics, type MetricMessage } from "../metric";
import { WireError } from "../wire_error";

const VERSION = 1;
const OTHERS = ["limit", "infeasible", "unconverged"] as const;

export type Status = "solved" | (typeof OTHERS)[number];

/** One of the two features. */
export interface SideMessage {
  readonly name: string;
  readonly kind: "numeric" | "share";
  /** Means that the τ stand for, in the feature's unit. */
  readonly targets: readonly number[];
  readonly note_low: string;
  readonly note_high: string;
}

export interface StressSurfaceMessage {
  readonly version: typeof VERSION;
  readonly title: string;
  readonly n_rows: number;
  readonly taus: readonly number[];
  readonly confidence: number;
  readonly interval: string;
  readonly sides: readonly [SideMessage, SideMessage];
  readonly metrics: readonly MetricMessage[];
  /** Places that are not "solved". */
  readonly status: Readonly<Record<(typeof OTHERS)[number], readonly number[]>>;
}

export type StressSurfaceTraits = {
  stress: unknown;
  metric: string;
  message: unknown;
  answers: Bytes;
  population: Bytes;
};

/** Arrays over the cells, place = first τ × number of τ + second τ. */
export interface StressSurface {
  readonly message: StressSurfaceMessage;
  /** Position of τ = 0. */
  readonly zero: number;
  readonly metric: (metric: number) => Record<"value" | "lower" | "upper", Float32Array>;
  readonly population: Record<"ess" | "pareto_k" | "kl" | "tv", Float32Array>;
  readonly status: readonly Status[];
}

function checkSide(value: unknown, where: string, size: number): SideMessage {
  const side = record(value, where);
  const targets = list(side.targets, `${where}.targets`).map((mean) => number(mean, `${where}.targets`));
  if (targets.length !== size) {
    throw new WireError(`"${where}.targets" must have one mean per τ, ${size}, received ${targets.length}`);
  }
  return {
    name: text(side.name, `${where}.name`),
    kind: oneOf(side.kind, `${where}.kind`, ["numeric", "share"]),
    targets: ascending(targets, `${where}.targets`),
    note_low: text(side.note_low, `${where}.note_low`),
    note_high: text(side.note_high, `${where}.note_high`),
  };
}

function checkMessage(value: unknown): StressSurfaceMessage {
  const message = record(value, "message");
  const version = versionOf(message.version, VERSION);
  const taus = ascending(
    list(message.taus, "taus").map((tau) => number(tau, "taus")),
    "taus",
  );
  const sides = list(message.sides, "sides").map((side, k) => checkSide(side, `sides[${k}]`, taus.length));
  if (sides.length !== 2) throw new WireError(`"sides" must be two features, received ${sides.length}`);
  const status = record(message.status, "status");
  const places = (word: string) =>
    list(status[word], `status.${word}`).map((k) => number(k, `status.${word}`));
  return {
    version,
    title: text(message.title, "title"),
    n_rows: number(message.n_rows, "n_rows"),
    taus,
    confidence: number(message.confidence, "confidence"),
    interval: text(message.interval, "interval"),
    sides: sides as [SideMessage, SideMessage],
    metrics: checkMetrics(message.metrics),
    status: { limit: places("limit"), infeasible: places("infeasible"), unconverged: places("unconverged") },
  };
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressSurface(
  traits: Pick<StressSurfaceTraits, "message" | "answers" | "population">,
): StressSurface {
  const message = checkMessage(traits.message);
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed mean');
  const cells = message.taus.length ** 2;
  const answers = planes(float32("answers", traits.answers, message.metrics.length * cells * 3), cells, 3);
  const population = planes(float32("population", traits.population, cells * 4), cells, 4);
  const row = (values: Float32Array, k: number) => values.subarray(k * cells, (k + 1) * cells);
  const status = Array.from({ length: cells }, (): Status => "solved");
  for (const word of OTHERS) for (const place of message.status[word]) status[place] = word;
  return {
    message,
    zero,
    metric: (k) => ({
      value: row(answers, 3 * k),
      lower: row(answers, 3 * k + 1),
      upper: row(answers, 3 * k + 2),
    }),
    population: {
      ess: row(population, 0),
      pareto_k: row(population, 1),
      kl: row(population, 2),
      tv: row(population, 3),
    },
    status,
  };
}
