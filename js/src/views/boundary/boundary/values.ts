/** Values of features as a person reads them. */

import { count, quantityFormat, UNDEFINED } from "../../../theme/formats";
import type { Answer, Bound } from "../../../wire/boundary/boundary";
import type { BoundaryFeatureMessage, BoundaryMessage } from "../../../wire/messages";

export const MISSING = "missing";

/** Digits of a value that no other stands beside. */
const DIGITS = 6;

/** Of a value beside another: what is less is told by the change beside them. */
const LEAST_CHANGE = 1e-7;

/** A value in the feature's own unit, or its level by name; decimals that tell the row from its flip. */
export function valueWords(feature: BoundaryFeatureMessage, value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  const { kind, scale, start, point } = feature;
  if (kind === "levels") return feature.levels[value] ?? UNDEFINED;
  if (kind === "date") return dateWords(value);
  if (feature.integer && Number.isInteger(value)) return count(value);
  if (value === 0) return "0";
  const change = feature.changed ? Math.abs((point ?? 0) - (start ?? 0)) : 0;
  if (change >= LEAST_CHANGE) return quantityFormat("numeric", Math.min(scale, 10 * change)).value(value);
  return Math.abs(value) >= 1000 ? quantityFormat("numeric", scale).value(value) : plainWords(value);
}

/** A number that no other stands beside. */
export function plainWords(value: number): string {
  return String(Number(value.toPrecision(DIGITS))).replace("-", "−");
}

/** A decimal year as a day. */
function dateWords(year: number): string {
  const whole = Math.floor(year);
  const [from, to] = [Date.UTC(whole, 0), Date.UTC(whole + 1, 0)];
  return new Date(from + (year - whole) * (to - from)).toISOString().slice(0, 10);
}

/** A signed number of three significant digits, never in more than it needs. */
export function signedWords(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const plain = size >= 1000 ? count(size) : String(Number(size.toPrecision(3)));
  const digits = size >= 1e9 || size < 1e-4 ? size.toExponential(1) : plain;
  return `${value < 0 ? "−" : "+"}${digits}`;
}

/** How a feature differs between two values: signed, or nothing for levels. */
export function changeWords(feature: BoundaryFeatureMessage, from: number | null, to: number | null): string {
  if (feature.kind === "levels" || from === null || to === null || from === to) return "";
  return signedWords(to - from);
}

/** What a person asked of a feature: "locked", "20 – 40", "≥ 20". */
export function constraintWords(locked: boolean, bound: Bound | undefined): string {
  if (locked) return "locked";
  const [low, high] = bound ?? [null, null];
  if (low !== null && high !== null) return `${low} – ${high}`;
  if (low !== null) return `≥ ${low}`;
  return high === null ? "" : `≤ ${high}`;
}

/** The model's answer: a share in per cent, a value by the range it moves over. */
export function answerWords(kind: BoundaryMessage["response_kind"], value: number, range = 1): string {
  return quantityFormat(kind, range, 3).value(value);
}

/** A length of the path, in as many decimals as its whole needs: "0.48 sd". */
export function lengthWords({ unit, path }: Pick<Answer, "unit" | "path">, length: number): string {
  const words = quantityFormat("numeric", path?.length.at(-1) ?? 1).value(length);
  return unit ? `${words} ${unit}` : words;
}
