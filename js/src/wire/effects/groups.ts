/** Curves of groups of rows over an effect: the same words as in Python, checked once, then only read. */

import { float32 } from "../buffers";
import { type EffectGroupsMessage, effectGroupsMessage } from "../messages";
import type { Level } from "../reasons";
import { unlessEmpty, WireError } from "../schema";
import type { Gap } from "../stress/estimate";
import { type EffectMessage, type EffectTraits, type Part, samePart } from "./effect";

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

/** value, lower, upper, level; then largest, smallest, gap and its ends */
const [OF_GROUP, OF_GAP] = [4, 5];

/** Message and numbers together; null where nothing was asked for, or of an effect that is not there. */
export function decodeGroups(
  { classes }: EffectMessage,
  parts: readonly Part[],
  traits: Pick<EffectTraits, "groups" | "group_numbers">,
): EffectGroups | null {
  const message = groupsMessage(traits.groups ?? {}, "groups");
  const part = message && parts.find((one) => samePart(one, message.features, message.kind));
  if (!part) return null;
  const floats = float32("group_numbers", traits.group_numbers ?? new Uint8Array());
  const [Q, G, N] = [classes.length, part.n_points, message.groups.length];
  const row = (k: number) => floats.subarray(k * G, (k + 1) * G);
  if (N > 0 && floats.length !== Q * G * (N * OF_GROUP + OF_GAP)) {
    throw new WireError(`"group_numbers" must hold ${N} groups and their gaps at ${G} points`);
  }
  return {
    ...message,
    curves: (output) =>
      message.groups.map((_, group) => {
        const k = (output * N + group) * OF_GROUP;
        const levels = row(k + 3);
        return {
          value: row(k),
          lower: row(k + 1),
          upper: row(k + 2),
          level: (point) => levels[point] as Level,
        };
      }),
    gap(output, point) {
      const k = Q * N * OF_GROUP + output * OF_GAP;
      const [largest, smallest, value, lower, upper] = Array.from(
        { length: OF_GAP },
        (_, field) => row(k + field)[point] ?? -1,
      ) as [number, number, number, number, number];
      return largest < 0 ? null : { largest, smallest, value, lower, upper };
    },
  };
}
