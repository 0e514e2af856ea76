/** The message of a stress curves view: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, REASONED, uint8, uint16, VALUES } from "../buffers";
import {
  type CurvesBlockMessage,
  type CurvesGroupsMessage,
  curvesGroupsMessage,
  type StressCurvesMessage,
  type StressCurvesViewTraits,
  stressCurvesMessage,
} from "../messages";
import { type Judged, judgedFrom, type Reasons } from "../reasons";
import { type Bytes, unlessEmpty, WireError } from "../schema";

export type Shift = CurvesBlockMessage["shift"];

/** A metric of a group over τ. */
export interface GroupCurve extends CurveBeside {
  judged(tau: number): Judged;
}

/** A group over τ, whatever the metric; its share is of all weight. */
type GroupPopulation = Readonly<Record<"target" | "share" | "ess", Float32Array>>;

/** Largest less smallest at one τ, which are places among the groups, and their ratio. */
interface GroupGap {
  readonly largest: number;
  readonly smallest: number;
  /** The place of the group that has the worse end; −1 where neither end is worse. */
  readonly worst: number;
  /** Value, lower and upper. */
  readonly gap: readonly [number, number, number];
  readonly ratio: readonly [number, number, number];
}

/** Groups under the stress of one feature; metrics by name. */
export interface Groups {
  curve(group: number, metric: string): GroupCurve | null;
  population(group: number): GroupPopulation;
  /** Null where fewer than two groups have a value. */
  gap(metric: string, tau: number): GroupGap | null;
}

export interface ManyGroups extends CurvesGroupsMessage {
  /** Null where these numbers did not come. */
  of(feature: string, shift: Shift): Groups | null;
}

const OF_CELL = ["value", "lower", "upper", "reason", "amount"] as const;
const OF_GROUP = ["target", "share", "ess"] as const;
const RATIO = ["ratio", "ratio_lower", "ratio_upper"] as const;
const OF_GAP = ["largest", "smallest", "gap", "gap_lower", "gap_upper", ...RATIO] as const;

/** Message and numbers together; null where nothing was asked for. */
export function decodeGroups(
  value: unknown,
  bytes: Bytes | undefined,
  nTaus: number,
  reasons: Reasons,
): ManyGroups | null {
  const message = unlessEmpty(curvesGroupsMessage)(value, "groups");
  if (!message) return null;
  const { labels, metrics, blocks, layout, worse } = message;
  const sizes = { group: labels.length, metric: metrics.length, block: blocks.length, tau: nTaus };
  const all = float32("group_numbers", bytes ?? new Uint8Array());
  const find = <N extends string>(names: readonly N[]) =>
    arraysOf("group_numbers", all, layout, message.error ? [] : names, sizes);
  const [cells, populations, gaps] = [find(OF_CELL), find(OF_GROUP), find(OF_GAP)];
  return {
    ...message,
    of(feature, shift) {
      const block = blocks.findIndex((one) => one.feature === feature && one.shift === shift);
      if (block < 0) return null;
      return {
        curve(group, metric) {
          const i = metrics.indexOf(metric);
          if (i < 0) return null;
          const { reason, amount, ...curve } = mapValues(cells, (read) => read({ block, group, metric: i }));
          return {
            ...curve,
            judged: (tau) => judgedFrom(reasons, reason[tau] as number, amount[tau] as number),
          };
        },
        population: (group) => mapValues(populations, (read) => read({ block, group })),
        gap(metric, tau) {
          const i = metrics.indexOf(metric);
          if (i < 0) return null;
          const found = mapValues(gaps, (read) => read({ block, tau, metric: i })[0] as number);
          const { largest, smallest } = found;
          if (Number.isNaN(largest)) return null;
          const worst = { higher: largest, lower: smallest, either: -1 }[worse[i] ?? "either"];
          return {
            ...{ largest, smallest, worst },
            gap: [found.gap, found.gap_lower, found.gap_upper],
            ratio: [found.ratio, found.ratio_lower, found.ratio_upper],
          };
        },
      };
    },
  };
}

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
