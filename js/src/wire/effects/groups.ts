/** Curves of groups of rows over an effect: the same words as in Python, checked once, then only read. */

import { arraysOf, float32, mapValues, VALUES } from "../buffers";
import { type EffectGroupsMessage, effectGroupsMessage, type FeatureEffectViewTraits } from "../messages";
import type { Level } from "../reasons";
import { unlessEmpty } from "../schema";
import { type Gap, gapOf, OF_GAP } from "../stress/estimate";
import { type EffectMessage, type Part, samePart } from "./effect";

const groupsMessage = unlessEmpty(effectGroupsMessage);

/** A group over the points of the effect. */
export interface GroupCurve {
  readonly value: Float32Array;
  readonly lower: Float32Array;
  readonly upper: Float32Array;
  level(point: number): Level;
}

export interface EffectGroups extends EffectGroupsMessage {
  curves(output: number): readonly GroupCurve[];
  /** Null where fewer than two groups have a value. */
  gap(output: number, point: number): Gap | null;
}

const OF_GROUP = [...VALUES, "level"] as const;

/** Message and numbers together; null where nothing was asked for, or of an effect that is not there. */
export function decodeGroups(
  { classes }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<FeatureEffectViewTraits, "groups" | "group_numbers">,
): EffectGroups | null {
  const message = groupsMessage(traits.groups ?? {}, "groups");
  const part = message && parts.find((one) => samePart(one, message.features, message.kind));
  if (!part) return null;
  const { layout, error, groups } = message;
  const floats = float32("group_numbers", traits.group_numbers ?? new Uint8Array());
  const sizes = { class: classes.length, point: part.n_points, group: groups.length };
  const values = arraysOf("group_numbers", floats, layout, error ? [] : OF_GROUP, sizes);
  const gaps = arraysOf("group_numbers", floats, layout, error ? [] : OF_GAP, sizes);
  return {
    ...message,
    curves: (output) =>
      groups.map((_, group) => {
        const { level, ...curve } = mapValues(values, (read) => read({ class: output, group }));
        return { ...curve, level: (point) => level[point] as Level };
      }),
    gap(output, point) {
      if (error) return null;
      const found = mapValues(gaps, (read) => read({ class: output, point })[0] ?? -1);
      return found.largest < 0 ? null : gapOf(found);
    },
  };
}
