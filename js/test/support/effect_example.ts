/** The golden states of the effect view, as a kernel would have sent them. */

import { bytes as decode, readGolden } from "./golden";

interface State {
  readonly traits: Record<string, unknown>;
  readonly json: Record<string, unknown>;
  readonly buffers: Record<string, string>;
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
