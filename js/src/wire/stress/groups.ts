/** Stress curves in groups of rows: the same words as in Python, checked once, then only read. */

import { arraysOf, type Bytes, float32, mapValues } from "../buffers";
import { type CurvesBlockMessage, type CurvesGroupsMessage, curvesGroupsMessage } from "../messages";
import { type Judged, judgedFrom, type Reasons } from "../reasons";
import { unlessEmpty } from "../schema";
import type { CurveBeside } from "./curves";

export type Shift = CurvesBlockMessage["shift"];

/** A metric of a group over τ. */
export interface GroupCurve extends CurveBeside {
  judged(tau: number): Judged;
}

/** A group over τ, whatever the metric; its share is of all weight. */
export type GroupPopulation = Readonly<Record<"target" | "share" | "ess", Float32Array>>;

/** Largest less smallest at one τ, which are places among the groups, and their ratio. */
export interface GroupGap {
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
