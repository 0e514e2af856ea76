/** Numbers to text. A formatter is made once for a quantity, so that its decimals never jump along τ. */

import { type Formatter, fixed, scientific } from "./number_text";
import { DECIMALS } from "./theme";

export type { Formatter };

/** Shown where a quantity is not defined, as a rate without any case to divide by. */
export const UNDEFINED = "n/a";

const finite =
  (formatter: Formatter): Formatter =>
  (value) =>
    Number.isFinite(value) ? formatter(value) : UNDEFINED;

/** Difference between the largest and the smallest finite value; 0 when there are none. */
export function span(...series: ArrayLike<number>[]): number {
  let low = Infinity;
  let high = -Infinity;
  for (const values of series) {
    for (let k = 0; k < values.length; k++) {
      const value = values[k] as number;
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  return high > low && low > -Infinity ? high - low : 0;
}

/** Decimals that resolve a span into hundreds of steps (`digits` = 2) or thousands (3). */
export function decimals(range: number, digits: number): number {
  if (!(range > 0)) return digits;
  return Math.max(0, digits - Math.floor(Math.log10(range)));
}

export interface QuantityFormat {
  /** The number with its unit, "22.6 %". */
  readonly value: Formatter;
  /** The number alone, "22.6". */
  readonly bare: Formatter;
  /** A signed difference in words, "+2.8 points". */
  readonly change: Formatter;
}

const MOST_DECIMALS = 8;
const LARGEST_PLAIN = 1e9;

function plainFormat(range: number, digits: number): QuantityFormat {
  const n = decimals(range, digits);
  const large = n > MOST_DECIMALS || range > LARGEST_PLAIN;
  const plain = finite(large ? scientific() : fixed(n));
  return { value: plain, bare: plain, change: finite(large ? scientific(true) : fixed(n, true)) };
}

function shareFormat(range: number): QuantityFormat {
  const n = Math.min(3, Math.max(1, decimals(100 * range, 2)));
  const percent = fixed(n);
  const signed = fixed(n, true);
  return {
    value: finite((share) => `${percent(100 * share)} %`),
    bare: finite((share) => percent(100 * share)),
    change: finite((difference) => `${signed(100 * difference)} points`),
  };
}

/**
 * Formats of a quantity that moves over `range`.
 *
 * @param digits significant digits of the range that a plain value keeps
 */
export function quantityFormat(
  kind: "share" | "value" | "numeric",
  range: number,
  digits = 2,
): QuantityFormat {
  return kind === "share" ? shareFormat(range) : plainFormat(range, digits);
}

export const count: Formatter = finite(fixed(DECIMALS.count));
export const kl: Formatter = finite(fixed(DECIMALS.kl));
export const tv: Formatter = finite(fixed(DECIMALS.tv));
const finiteK = finite(fixed(DECIMALS.pareto_k));
export const paretoK: Formatter = (value) => (value === Infinity ? "∞" : finiteK(value));

/** τ with as many decimals as its grid needs, at least two: "0.25", "−1.00". */
export function tauFormat(taus: readonly number[]): Formatter {
  const step = Math.min(...taus.slice(1).map((tau, k) => tau - (taus[k] as number)));
  const needed = Number.isFinite(step) ? Math.ceil(-Math.log10(step) - 1e-9) : 0;
  return fixed(Math.min(4, Math.max(2, needed)));
}

const DAY = 86_400_000;
const DAYS_PER_YEAR = 365.2425;

/** A date as the decimal year that means of dates are in; NaN for one that no calendar has. */
export function fromDate(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? 1970 + date.getTime() / DAY / DAYS_PER_YEAR : Number.NaN;
}

/** A decimal year as a date, "2015-06-01". */
const date = finite((years) => {
  const found = new Date(Math.round((years - 1970) * DAYS_PER_YEAR) * DAY);
  return Number.isNaN(found.getTime()) ? UNDEFINED : (found.toISOString().split("T")[0] ?? UNDEFINED);
});

/** Formats of a feature that moves over `range`: dates as dates. */
export function featureFormat(
  { kind, unit }: { readonly kind: "share" | "numeric"; readonly unit: string },
  range: number,
): QuantityFormat {
  if (unit !== "year" || kind === "share") return quantityFormat(kind, range);
  return { value: date, bare: date, change: quantityFormat("numeric", range).change };
}
