/** The message of a stress curves view: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, REASONED, uint8, uint16, VALUES } from "../buffers";
import { type StressCurvesMessage, type StressCurvesViewTraits, stressCurvesMessage } from "../messages";
import { type Judged, judgedFrom } from "../reasons";
import { WireError } from "../schema";

export type RankBy = "difference" | "slope";

/** The synced traits; what the last names is undefined in states saved by earlier versions. */
export type StressCurvesTraits = Omit<StressCurvesViewTraits, Added | "rank_by"> &
  Partial<Pick<StressCurvesViewTraits, Added>> & { rank_by: RankBy };
type Added = "beside" | "by" | "within" | "groups" | "group_numbers";

/** One metric under the stress of one feature, each array over τ. */
export interface Curve {
  readonly value: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
  /** Codes among the message's reasons. */
  readonly reason: Uint8Array;
}

/** The mean the feature was moved to, in its unit; the few rows that carry the weight moved, and their share of it. */
const POPULATION = ["target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried"] as const;
/** The population under the stress of one feature, each array over τ. */
export type Population = Readonly<Record<(typeof POPULATION)[number], Float32Array>>;

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
  const { features, layout } = message;
  const sizes = { tau: message.taus.length, metric: message.metrics.length, feature: features.length };
  const curves = arraysOf("curves", float32("curves", traits.curves), layout.curves, VALUES, sizes);
  const others =
    message.beside && traits.beside
      ? arraysOf("beside", float32("beside", traits.beside), layout.curves, VALUES, sizes)
      : null;
  const population = arraysOf(
    "population",
    float32("population", traits.population),
    layout.population,
    POPULATION,
    sizes,
  );
  const drawn = features.filter(({ edges }) => edges.length > 1).map(({ name }) => name);
  const histograms = arraysOf(
    "histograms",
    uint16("histograms", traits.histograms),
    layout.histograms,
    drawn,
    sizes,
  );
  const reasons = arraysOf("reasons", uint8("reasons", traits.reasons), layout.reasons, REASONED, sizes);
  return {
    message,
    zero,
    curve: (feature, metric) => ({
      ...mapValues(curves, (read) => read({ feature, metric })),
      reason: reasons.reason({ feature, metric }),
    }),
    beside: others && ((feature, metric) => mapValues(others, (read) => read({ feature, metric }))),
    judged: (feature, metric, tau) =>
      judgedFrom(
        message.reliability,
        reasons.reason({ feature, metric })[tau] as number,
        reasons.amount({ feature, metric })[tau] as number,
      ),
    population: (feature) => mapValues(population, (read) => read({ feature })),
    histogram: (feature, tau) => {
      const shares = histograms[features[feature]?.name ?? ""]?.({ tau }) ?? [];
      return Float32Array.from(shares, (share) => share / ONE);
    },
  };
}
