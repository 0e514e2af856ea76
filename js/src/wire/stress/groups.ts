/** Stress curves in groups of rows: the same words as in Python, checked once, then only read. */

import { type Bytes, float32, planes } from "../buffers";
import { type CurvesBlockMessage, type CurvesGroupsMessage, curvesGroupsMessage } from "../messages";
import { type Judged, judgedFrom, type Reasons } from "../reasons";
import { unlessEmpty } from "../schema";
import type { CurveBeside } from "./curves";

export type Shift = CurvesBlockMessage["shift"];
export type GroupsMessage = CurvesGroupsMessage;

/** A metric of a group over τ. */
export interface GroupCurve extends CurveBeside {
  judged(tau: number): Judged;
}

/** A group over τ, whatever the metric. */
export interface GroupPopulation {
  readonly target: Float32Array;
  /** Of all weight. */
  readonly share: Float32Array;
  readonly ess: Float32Array;
}

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

export interface ManyGroups extends GroupsMessage {
  /** Null where these numbers did not come. */
  of(feature: string, shift: Shift): Groups | null;
}

const [OF_CELL, OF_GROUP, OF_GAP] = [5, 3, 8];

/** Message and numbers together; null where nothing was asked for. */
export function decodeGroups(
  value: unknown,
  bytes: Bytes | undefined,
  nTaus: number,
  reasons: Reasons,
): ManyGroups | null {
  const message = unlessEmpty(curvesGroupsMessage)(value, "groups");
  if (!message) return null;
  const [G, I] = [message.labels.length, message.metrics.length];
  const width = G * (I * OF_CELL + OF_GROUP) + I * OF_GAP;
  const size = message.blocks.length * nTaus * width;
  const all = planes(float32("group_numbers", bytes ?? new Uint8Array(), size), nTaus, width);
  return {
    ...message,
    of(feature, shift) {
      const block = message.blocks.findIndex((one) => one.feature === feature && one.shift === shift);
      if (block < 0) return null;
      const row = (field: number) => {
        const k = block * width + field;
        return all.subarray(k * nTaus, (k + 1) * nTaus);
      };
      const cells = G * I * OF_CELL;
      return {
        curve(group, metric) {
          const i = message.metrics.indexOf(metric);
          if (i < 0) return null;
          const k = (group * I + i) * OF_CELL;
          const judged = (tau: number) =>
            judgedFrom(reasons, row(k + 3)[tau] as number, row(k + 4)[tau] as number);
          return { value: row(k), lower: row(k + 1), upper: row(k + 2), judged };
        },
        population(group) {
          const k = cells + group * OF_GROUP;
          return { target: row(k), share: row(k + 1), ess: row(k + 2) };
        },
        gap(metric, tau) {
          const i = message.metrics.indexOf(metric);
          const k = cells + G * OF_GROUP + i * OF_GAP;
          const at = (field: number) => (i < 0 ? Number.NaN : (row(k + field)[tau] as number));
          const [largest, smallest] = [at(0), at(1)];
          if (Number.isNaN(largest)) return null;
          const worst = { higher: largest, lower: smallest, either: -1 }[message.worse[i] ?? "either"];
          return { largest, smallest, worst, gap: [at(2), at(3), at(4)], ratio: [at(5), at(6), at(7)] };
        },
      };
    },
  };
}
