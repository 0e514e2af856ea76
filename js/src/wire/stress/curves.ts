/** The message of a stress curves view: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, type Interval, mapValues, uint16, VALUES } from "../buffers";
import {
  type CurvesBlockMessage,
  type CurvesGroupsMessage,
  curvesGroupsMessage,
  type StressCurvesViewTraits,
  stressCurvesMessage,
} from "../messages";
import { type Gap, gapAt, type Judged, judgedFrom, OF_GAP, type Reasons, reasonsOf } from "../reasons";
import { type Bytes, unlessEmpty } from "../schema";
import { zeroOf } from "../shared_stress";

export type Shift = CurvesBlockMessage["shift"];

/** A metric of a group over τ. */
export interface GroupCurve extends CurveBeside {
  judged(tau: number): Judged;
}

/** Largest less smallest at one τ, which are places among the groups, and their ratio. */
interface GroupGap extends Omit<Gap, keyof Interval> {
  /** The place of the group that has the worse end; −1 where neither end is worse. */
  readonly worst: number;
  /** Value, lower and upper. */
  readonly gap: readonly [number, number, number];
  readonly ratio: readonly [number, number, number];
}

/** Groups under the stress of one feature; metrics by name. */
export interface Groups {
  curve(group: number, metric: string): GroupCurve | null;
  /** A group over τ, whatever the metric; its share is of all weight. */
  population(group: number): Readonly<Record<(typeof OF_GROUP)[number], Float32Array>>;
  /** Null where fewer than two groups have a value. */
  gap(metric: string, tau: number): GroupGap | null;
}

export interface ManyGroups extends CurvesGroupsMessage {
  /** Null where these numbers did not come. */
  of(feature: string, shift: Shift): Groups | null;
}

const OF_CELL = [...VALUES, "reason", "amount"] as const;
const OF_GROUP = ["target", "share", "ess"] as const;
const RATIO = ["ratio", "ratio_lower", "ratio_upper"] as const;

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
  const [cells, populations] = [find(OF_CELL), find(OF_GROUP)];
  const [gaps, ratios] = [find(OF_GAP), find(RATIO)];
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
          const at = { block, tau, metric: i };
          const found = i < 0 ? null : gapAt(gaps, at);
          if (!found) return null;
          const { largest, smallest, value, lower, upper } = found;
          const worst = { higher: largest, lower: smallest, either: -1 }[worse[i] ?? "either"];
          const ratio = RATIO.map((name) => ratios[name](at)[0] as number) as [number, number, number];
          return { largest, smallest, worst, gap: [value, lower, upper], ratio };
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
export interface Curve extends CurveBeside {
  /** Codes among the message's reasons. */
  readonly reason: Uint8Array;
}

/** The mean the feature was moved to, in its unit; the few rows that carry the weight moved, and their share of it. */
const POPULATION = ["target", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried"] as const;
/** The population under the stress of one feature, each array over τ. */
export type Population = Readonly<Record<(typeof POPULATION)[number], Float32Array>>;

/** What another model has of a metric under the stress of one feature, over τ. */
export type CurveBeside = Interval<Float32Array>;

export type StressCurves = ReturnType<typeof decodeStressCurves>;

/** What a share of 1 is sent as. */
const ONE = 65535;

/** Message and buffers together, their lengths checked against each other. */
export function decodeStressCurves(
  traits: Pick<StressCurvesTraits, "message" | "curves" | "population" | "histograms" | "reasons" | "beside">,
) {
  const message = stressCurvesMessage(traits.message, "message");
  const { features, layout, taus } = message;
  const zero = zeroOf(taus);
  const sizes = { tau: taus.length, metric: message.metrics.length, feature: features.length };
  const curves = arraysOf("curves", float32("curves", traits.curves), layout.curves, VALUES, sizes);
  const others =
    message.beside && traits.beside
      ? arraysOf("beside", float32("beside", traits.beside), layout.curves, VALUES, sizes)
      : null;
  const moved = float32("population", traits.population);
  const population = arraysOf("population", moved, layout.population, POPULATION, sizes);
  const drawn = features.filter(({ edges }) => edges.length > 1).map(({ name }) => name);
  const bars = uint16("histograms", traits.histograms);
  const histograms = arraysOf("histograms", bars, layout.histograms, drawn, sizes);
  const reasons = reasonsOf(message, traits.reasons, sizes);
  return {
    message,
    /** Position of τ = 0 in `message.taus`. */
    zero,
    curve: (feature: number, metric: number) => ({
      ...mapValues(curves, (read) => read({ feature, metric })),
      reason: reasons.reason({ feature, metric }),
    }),
    /** Of the model beside this one; null where there is none. */
    beside:
      others && ((feature: number, metric: number) => mapValues(others, (read) => read({ feature, metric }))),
    judged: (feature: number, metric: number, tau: number) => reasons.judged({ feature, metric }, tau),
    population: (feature: number) => mapValues(population, (read) => read({ feature })),
    /** Shares of rows per bin at one τ; empty for a share. */
    histogram: (feature: number, tau: number) => {
      const shares = histograms[features[feature]?.name ?? ""]?.({ tau }) ?? [];
      return Float32Array.from(shares, (share) => share / ONE);
    },
  };
}
