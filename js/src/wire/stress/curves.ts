/** The message of a stress curves view: the same words as in Python, checked once, then only read. */

import { type Bytes, columnsOf, float32, planes, uint8 } from "../buffers";
import { type StressCurvesMessage, stressCurvesMessage } from "../messages";
import { type Judged, judgedFrom } from "../reasons";
import { WireError } from "../schema";

export type { CurvesFeatureMessage as FeatureMessage, StressCurvesMessage } from "../messages";

export type RankBy = "difference" | "slope";

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
  reasons: Bytes;
  /** Undefined in states saved by earlier versions. */
  beside?: Bytes;
  /** What rows are told apart by, "" for all together; with what follows undefined in states of earlier versions. */
  by?: string;
  /** Whether each group is moved by itself. */
  within?: boolean;
  groups?: unknown;
  group_numbers?: Bytes;
};

/** One metric under the stress of one feature, each array over τ. */
export interface Curve {
  readonly value: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
  /** Codes among the message's reasons. */
  readonly reason: Uint8Array;
}

/** The population under the stress of one feature, each array over τ. */
export interface Population {
  /** Mean (or share) the feature was moved to, in its unit. */
  readonly target: Float32Array;
  readonly ess: Float32Array;
  readonly pareto_k: Float32Array;
  readonly kl: Float32Array;
  readonly tv: Float32Array;
  /** The few rows that carry the weight moved, and their share of all weight; 0 where they are not few. */
  readonly n_carriers: Float32Array;
  readonly carried: Float32Array;
}

/** What another model has of a metric under the stress of one feature, over τ. */
export type CurveBeside = Pick<Curve, "value" | "lower" | "upper">;

export interface StressCurves {
  readonly message: StressCurvesMessage;
  /** Position of τ = 0 in `message.taus`. */
  readonly zero: number;
  readonly curve: (feature: number, metric: number) => Curve;
  /** Of the model beside this one; null where there is none. */
  readonly beside: ((feature: number, metric: number) => CurveBeside) | null;
  readonly judged: (feature: number, metric: number, tau: number) => Judged;
  readonly population: (feature: number) => Population;
  /** Shares of rows per bin at one τ; empty for a share. */
  readonly histogram: (feature: number, tau: number) => Float32Array;
}

/** What a share of 1 is sent as. */
const ONE = 65535;

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressCurves(
  traits: Pick<StressCurvesTraits, "message" | "curves" | "population" | "histograms" | "reasons" | "beside">,
): StressCurves {
  const message = stressCurvesMessage(traits.message, "message");
  const zero = message.taus.indexOf(0);
  if (zero < 0) throw new WireError('"taus" must include 0, the unstressed population');
  const T = message.taus.length;
  const I = message.metrics.length;
  const F = message.features.length;
  const bins = message.features.map((feature) => Math.max(0, feature.edges.length - 1));
  const starts = [0];
  for (const n of bins) starts.push((starts.at(-1) as number) + n * T);

  const curves = planes(float32("curves", traits.curves, F * I * T * 3), T, 3);
  const population = planes(float32("population", traits.population, F * T * 7), T, 7);
  const [histograms] = columnsOf("histograms", traits.histograms, ["u2"], starts[F] as number);

  const reasons = planes(uint8("reasons", traits.reasons, F * I * T * 2), T, 2);

  const others =
    message.beside && traits.beside ? planes(float32("beside", traits.beside, F * I * T * 3), T, 3) : null;

  const row = <A extends Float32Array | Uint8Array>(values: A, k: number) =>
    values.subarray(k * T, (k + 1) * T) as A;
  const bytes = (feature: number, metric: number) => {
    const k = 2 * (feature * I + metric);
    return { reason: row(reasons, k), amount: row(reasons, k + 1) };
  };
  return {
    message,
    zero,
    curve: (feature, metric) => {
      const k = 3 * (feature * I + metric);
      const { reason } = bytes(feature, metric);
      return { value: row(curves, k), lower: row(curves, k + 1), upper: row(curves, k + 2), reason };
    },
    beside:
      others &&
      ((feature, metric) => {
        const k = 3 * (feature * I + metric);
        return { value: row(others, k), lower: row(others, k + 1), upper: row(others, k + 2) };
      }),
    judged: (feature, metric, tau) => {
      const { reason, amount } = bytes(feature, metric);
      return judgedFrom(message.reliability, reason[tau] as number, amount[tau] as number);
    },
    population: (feature) => {
      const at = (field: number) => row(population, 7 * feature + field);
      const moved = { target: at(0), ess: at(1), pareto_k: at(2), kl: at(3), tv: at(4) };
      return { ...moved, n_carriers: at(5), carried: at(6) };
    },
    histogram: (feature, tau) => {
      const n = bins[feature] ?? 0;
      const start = (starts[feature] ?? 0) + tau * n;
      return Float32Array.from({ length: n }, (_, bin) => (histograms?.[start + bin] ?? Number.NaN) / ONE);
    },
  };
}
