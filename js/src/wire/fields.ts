/** Checks of single fields of a JSON message. Each returns the value typed, or throws a WireError. */

import { WireError } from "./wire_error";

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuse(where: string, rule: string, value: unknown): never {
  throw new WireError(`"${where}" must be ${rule}, received ${shown(value)}`);
}

export function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse(where, "an object", value);
  }
  return value as Record<string, unknown>;
}

export function list(value: unknown, where: string): unknown[] {
  return Array.isArray(value) ? value : refuse(where, "a list", value);
}

export function text(value: unknown, where: string): string {
  return typeof value === "string" ? value : refuse(where, "text", value);
}

export function number(value: unknown, where: string): number {
  return typeof value === "number" && Number.isFinite(value)
    ? value
    : refuse(where, "a finite number", value);
}

export function flag(value: unknown, where: string): boolean {
  return typeof value === "boolean" ? value : refuse(where, "true or false", value);
}

export function oneOf<T extends string>(value: unknown, where: string, allowed: readonly T[]): T {
  return (allowed as readonly unknown[]).includes(value)
    ? (value as T)
    : refuse(where, allowed.map((word) => `"${word}"`).join(" or "), value);
}

export function ascending(values: number[], where: string): number[] {
  return values.every((value, k) => k === 0 || value > (values[k - 1] as number))
    ? values
    : refuse(where, "in ascending order", values);
}

/** The version of a message; the two halves of a widget may come from different installations. */
export function versionOf<T extends number>(value: unknown, wanted: T, what = "message"): T {
  if (value === wanted) return wanted;
  throw new WireError(
    `this script reads version ${wanted} of the ${what}, received version ${String(value)}. ` +
      "Restart the kernel and reload the page so that both run the same Tauscope",
  );
}
