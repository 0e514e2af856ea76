/** The golden states of the effect view, as a kernel would have sent them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

interface State {
  readonly traits: Record<string, unknown>;
  readonly json: Record<string, unknown>;
  readonly buffers: Record<string, string>;
}

const path = join(import.meta.dirname, "../../../tests/wire/effect.json");
const golden = JSON.parse(readFileSync(path, "utf-8")) as Record<string, State>;

/** The traits of one view, fresh to be changed; `message` overrides fields of its message. */
export function effectTraits(
  which: "age" | "level",
  message: Record<string, unknown> = {},
): Record<string, unknown> {
  const { traits, json, buffers } = structuredClone(golden[which] as State);
  const bytes = Object.fromEntries(
    Object.entries(buffers).map(([name, text]) => [name, new Uint8Array(Buffer.from(text, "base64"))]),
  );
  const whole = { ...(json.message as object), ...message };
  return { ...traits, ...json, ...bytes, compared: [], attack: {}, attacked: {}, stop: 0, message: whole };
}
