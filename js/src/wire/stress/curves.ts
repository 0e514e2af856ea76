/** The message of a stress curves view: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, planes } from "../buffers";
import { ascending, flag, list, number, oneOf, record, text, versionOf } from "../fields";
import { checkMetrics, type MetricMessage } from "../metric";
import { HOLDS, type Hold } from "../shared_stress";
import { WireError } from "../wire_error";

const VERSION = 1;

export type RankBy = "difference" | "slope";

export interface FeatureMessage {
  readonly name: string;
  readonly column: string;
  readonly level: string | null;
  readonly kind: "numeric" | "share";
  readonly integer: boolean;
  readonly mean: number;
  readonly n_missing: number;
  /** Why τ < 0 does not mean what it usually does; "" when it does. */
  readonly note_low: string;
  readonly note_high: string;
  /** Edges of the histogram's bins; empty for a share. */
  readonly edges: readonly number[];
}

export interface StressCurvesMessage {
  readonly version: typeof VERSION;
  readonly title: string;
  readonly n_rows: number;
  readonly task: string;
  readonly taus: readonly number[];
  readonly confidence: number;
  /** What the interval is, in words. */
  readonly interval: string;
  /** What stays while a feature is moved. */
  readonly hold: Hold;
  readonly features: readonly FeatureMessage[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly metrics: readonly MetricMessage[];
}

/** The synced traits, as the model holds them. */
export type StressCurvesTraits = {
  tau: number;
  feature: string;
  /** A metric name, or "roc". */
  metric: string;
  rank_by: RankBy;
  /** The stress as views share it; undefined in states saved by earlier versions. */
  stress: unknown;
  message: unknown;
  curves: Bytes;
  population: Bytes;
  histograms: Bytes;
};

/** One metric under the stress of one feature, each array over τ. */
export interface Curve {
  readonly value: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
}

/** The population under the stress of one feature, each array over τ. */
export interface Population {
  /** Mean (or share) the feature was moved to, in its unit. */
  readonly target: Float32Array;
  readonly ess: Float32Array;
  readonly pareto_k: Float32Array;
  readonly kl: Float32Array;
  readonly tv: Float32Array;
}

export interface StressCurves {
  readonly message: StressCurvesMessage;
  /** Position of τ = 0 in `message.taus`. */
  readonly zero: number;
  readonly curve: (feature: number, metric: number) => Curve;
  readonly population: (feature: number) => Population;
  /** Shares of rows per bin at one τ; empty for a share. */
  readonly histogram: (feature: number, tau: number) => Float32Array;
}

function checkFeature(value: unknown, where: string): FeatureMessage {
  const feature = record(value, where);
  const level = feature.level === null ? null : text(feature.level, `${where}.level`);
  const edges = list(feature.edges, `${where}.edges`).map((edge) => number(edge, `${where}.edges`));
  return {
    name: text(feature.name, `${where}.name`),
    column: text(feature.column, `${where}.column`),
    level,
    kind: oneOf(feature.kind, `${where}.kind`, ["numeric", "share"]),
    integer: flag(feature.integer, `${where}.integer`),
    mean: number(feature.mean, `${where}.mean`),
    n_missing: number(feature.n_missing, `${where}.n_missing`),
    note_low: text(feature.note_low, `${where}.note_low`),
    note_high: text(feature.note_high, `${where}.note_high`),
    edges: ascending(edges, `${where}.edges`),
  };
}

/** The JSON part, every field checked. */
function checkMessage(value: unknown): StressCurvesMessage {
  const message = record(value, "message");
  const version = versionOf(message.version, VERSION);
  const taus = list(message.taus, "taus").map((tau) => number(tau, "taus"));
  return {
    version,
    title: text(message.title, "title"),
    n_rows: number(message.n_rows, "n_rows"),
    task: text(message.task, "task"),
    taus: ascending(taus, "taus"),
    confidence: number(message.confidence, "confidence"),
    interval: text(message.interval, "interval"),
    hold: oneOf(message.hold, "hold", HOLDS),
    features: list(message.features, "features").map((f, k) => checkFeature(f, `features[${k}]`)),
    skipped: list(message.skipped, "skipped").map((entry, k) => {
      const where = `skipped[${k}]`;
      const { name, reason } = record(entry, where);
      return { name: text(name, `${where}.name`), reason: text(reason, `${where}.reason`) };
    }),
    metrics: checkMetrics(message.metrics),
  };
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressCurves(
  traits: Pick<StressCurvesTraits, "message" | "curves" | "population" | "histograms">,
): StressCurves {
  const message = checkMessage(traits.message);
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed population');
  const T = message.taus.length;
  const I = message.metrics.length;
  const F = message.features.length;
  const bins = message.features.map((feature) => Math.max(0, feature.edges.length - 1));
  const starts = [0];
  for (const n of bins) starts.push((starts.at(-1) as number) + n * T);

  const curves = planes(float32("curves", traits.curves, F * I * T * 3), T, 3);
  const population = planes(float32("population", traits.population, F * T * 5), T, 5);
  const histograms = float32("histograms", traits.histograms, starts[F] as number);

  const row = (values: Float32Array, k: number) => values.subarray(k * T, (k + 1) * T);
  return {
    message,
    zero,
    curve: (feature, metric) => {
      const k = 3 * (feature * I + metric);
      return { value: row(curves, k), lower: row(curves, k + 1), upper: row(curves, k + 2) };
    },
    population: (feature) => {
      const at = (field: number) => row(population, 5 * feature + field);
      return { target: at(0), ess: at(1), pareto_k: at(2), kl: at(3), tv: at(4) };
    },
    histogram: (feature, tau) => {
      const n = bins[feature] ?? 0;
      const start = (starts[feature] ?? 0) + tau * n;
      return histograms.subarray(start, start + n);
    },
  };
}
