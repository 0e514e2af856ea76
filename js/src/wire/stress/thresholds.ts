/** The messages of decisions at every threshold: the same words as in Python, checked once, then only read. */

import { type Bytes, float32 } from "../buffers";
import {
  type DecisionsMessage,
  decisionsMessage,
  type ThresholdsMessage,
  thresholdsMessage,
} from "../messages";
import { LEVELS, type Level } from "../reasons";
import { numbers, WireError } from "../schema";
import type { Gap } from "./estimate";

export type { BestThresholdMessage as Best, ThresholdsMessage } from "../messages";

/** A metric at a threshold; NaN where it is not defined, or has no interval. */
export interface Cell {
  readonly before: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: Level;
  /** Why it is not reliable; "" where it is. */
  readonly why: string;
}

/** Decisions at every threshold in one population. */
export interface Decisions extends DecisionsMessage {
  cell(group: number, threshold: number, metric: number): Cell;
  /** Where all groups are decided at one threshold; null where fewer than two have a value. */
  gap(threshold: number, metric: number): Gap | null;
}

export type ThresholdTraits = {
  thresholds: readonly number[];
  metric: string;
  stress: unknown;
  message: unknown;
  decisions: unknown;
  numbers: Bytes;
};

/** Numbers of a cell, and of a gap. */
const WIDTH = 5;

export function decodeThresholds(value: unknown): ThresholdsMessage {
  return thresholdsMessage(value, "message");
}

export function readChosen(value: unknown, { groups }: ThresholdsMessage): readonly number[] {
  const chosen = numbers(value, "thresholds");
  if (chosen.length === 1 || chosen.length === groups.length) return chosen;
  throw new WireError(`"thresholds" must have 1 or ${groups.length}, received ${chosen.length}`);
}

export function decodeDecisions(
  value: unknown,
  bytes: unknown,
  { metrics, groups: named }: ThresholdsMessage,
): Decisions {
  const message = decisionsMessage(value, "decisions");
  const { error, thresholds, notes, groups } = message;
  const [n, m, g] = [thresholds.length, metrics.length, named.length];
  if (!error && (groups.length !== g || n === 0)) {
    throw new WireError(`"decisions" must have ${g} groups and a threshold, received ${groups.length}, ${n}`);
  }
  const size = n * m * WIDTH;
  const all = float32("numbers", bytes, error ? 0 : size * (g + (g > 1 ? 1 : 0)));
  const read = (block: number, threshold: number, metric: number) =>
    all.subarray(block * size + (threshold * m + metric) * WIDTH);
  return {
    ...message,
    cell(group, threshold, metric) {
      const [before = 0, value = 0, lower = 0, upper = 0, note = 0] = read(group, threshold, metric);
      const { level, words } = notes[note] ?? { level: LEVELS[0], words: "" };
      return { before, value, lower, upper, level: LEVELS.indexOf(level) as Level, why: words };
    },
    gap(threshold, metric) {
      const [largest = Number.NaN, smallest = 0, value = 0, lower = 0, upper = 0] =
        g > 1 ? read(g, threshold, metric) : [];
      return Number.isNaN(largest) ? null : { largest, smallest, value, lower, upper };
    },
  };
}
