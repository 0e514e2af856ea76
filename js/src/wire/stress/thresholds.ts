/** The messages of decisions at every threshold: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, type Interval, mapValues, VALUES } from "../buffers";
import { type DecisionsMessage, decisionsMessage, type ThresholdsMessage } from "../messages";
import { type Gap, gapAt, LEVELS, type Level, OF_GAP } from "../reasons";
import { numbers, WireError } from "../schema";

/** A metric at a threshold; NaN where it is not defined, or has no interval. */
export interface Cell extends Interval {
  readonly before: number;
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

const OF_CELL = [...VALUES, "before", "note"] as const;

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
  const { error, thresholds, notes, groups, layout } = message;
  const [n, m, g] = [thresholds.length, metrics.length, named.length];
  if (!error && (groups.length !== g || n === 0)) {
    throw new WireError(`"decisions" must have ${g} groups and a threshold, received ${groups.length}, ${n}`);
  }
  const all = float32("numbers", bytes);
  const sizes = { group: g, threshold: n, metric: m };
  const cells = arraysOf("numbers", all, layout, error ? [] : OF_CELL, sizes);
  const gaps = arraysOf("numbers", all, layout, g > 1 && !error ? OF_GAP : [], sizes);
  return {
    ...message,
    cell(group, threshold, metric) {
      const { note, ...found } = mapValues(cells, (read) => read({ group, threshold, metric })[0] as number);
      const { level, words } = notes[note] ?? { level: LEVELS[0], words: "" };
      return { ...found, level: LEVELS.indexOf(level) as Level, why: words };
    },
    gap: (threshold, metric) => gapAt(gaps, { threshold, metric }),
  };
}
