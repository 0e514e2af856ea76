/** The golden states of the effect view, as a kernel would have sent them. */

import { bytes as decode, readGolden } from "./golden";

interface State {
  readonly traits: Record<string, unknown>;
  readonly json: Record<string, unknown>;
  readonly buffers: Record<string, string>;
  readonly groups: readonly GoldenGroups[];
}

/** Groups by site as a kernel sends them, and what Python computes of the same rows, [class][group][point]. */
interface GoldenGroups {
  readonly json: Record<string, unknown>;
  readonly group_numbers: string;
  readonly curves: Record<"effect" | "lower" | "upper", (number | null)[]>;
  readonly gaps: Record<"gap" | "gap_lower" | "gap_upper", (number | null)[]>;
}

const golden = readGolden<Record<string, State>>("effect.json");
const alone = readGolden<Record<string, State>>("effect_alone.json");

/** The traits of one view, fresh to be changed; `message` overrides fields of its message. */
export function effectTraits(
  which: "age" | "level",
  message: Record<string, unknown> = {},
): Record<string, unknown> {
  return traitsOf(golden[which] as State, message);
}

/** The traits of groups, as tested or under the stress of age, and their numbers. */
export function groupTraits(which: "age" | "level", stressed = false) {
  const { json, group_numbers, ...numbers } = structuredClone(
    golden[which]?.groups[stressed ? 1 : 0],
  ) as GoldenGroups;
  return { traits: { by: "site", groups: json, group_numbers: decode(group_numbers) }, numbers };
}

/** A saved page without the rows: with the bands of every step, without them, or of two features. */
export function aloneTraits(which: "bands" | "windows" | "two"): Record<string, unknown> {
  return traitsOf(alone[which] as State, {});
}

function traitsOf(state: State, message: Record<string, unknown>): Record<string, unknown> {
  const { traits, json, buffers } = structuredClone(state);
  const bytes = Object.fromEntries(Object.entries(buffers).map(([name, text]) => [name, decode(text)]));
  const whole = { ...(json.message as object), ...message };
  return { ...traits, ...json, ...bytes, compared: [], attack: {}, attacked: {}, stop: 0, message: whole };
}
