/** The messages and numbers in `tests/wire/` that both languages read. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../tests/wire");

/** @param name of the file, such as "effect.json" */
export function readGolden<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, name), "utf-8")) as T;
}

/** Bytes that Python wrote as base64, as a host hands them over. */
export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
