/** Numbers to text. A formatter is made once for a quantity, so that its decimals never jump along τ. */

import type { MetricMessage } from "../wire/messages";
import { type Formatter, fixed, scientific } from "./number_text";
import { DECIMALS } from "./theme";

/** A share and a score lie in [0, 1]; a share is written in per cent, the others as numbers. */
export type MetricKind = MetricMessage["kind"];

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
  /** Two numbers with their unit, in more decimals where those of the range would hide that they differ. */
  readonly pair: (before: number, after: number) => readonly [string, string];
}

const MOST_DECIMALS = 8;
const LARGEST_PLAIN = 1e9;
/** What float32 leaves of a number: two that differ by less are the same. */
const ROUNDED = 1e-6;

/** Write two numbers to the fewest decimals, `n` at least, that tell them apart. */
function pairOf(n: number, write: (decimals: number) => Formatter): QuantityFormat["pair"] {
  return (before, after) => {
    const differ = Math.abs(after - before) > ROUNDED * Math.max(Math.abs(before), Math.abs(after));
    let decimals = n;
    while (differ && decimals < MOST_DECIMALS && write(decimals)(before) === write(decimals)(after))
      decimals++;
    return [write(decimals)(before), write(decimals)(after)];
  };
}

function plainFormat(range: number, digits: number): QuantityFormat {
  const n = decimals(range, digits);
  const large = n > MOST_DECIMALS || range > LARGEST_PLAIN;
  const plain = finite(large ? scientific() : fixed(n));
  return {
    value: plain,
    bare: plain,
    change: finite(large ? scientific(true) : fixed(n, true)),
    pair: large ? (before, after) => [plain(before), plain(after)] : pairOf(n, (k) => finite(fixed(k))),
  };
}

function shareFormat(range: number): QuantityFormat {
  const n = Math.min(3, Math.max(1, decimals(100 * range, 2)));
  const percent = fixed(n);
  const signed = fixed(n, true);
  return {
    value: finite((share) => `${percent(100 * share)} %`),
    bare: finite((share) => percent(100 * share)),
    change: finite((difference) => `${signed(100 * difference)} points`),
    pair: pairOf(n, (k) => finite((share) => `${fixed(k)(100 * share)} %`)),
  };
}

/**
 * Formats of a quantity that moves over `range`.
 *
 * @param digits significant digits of the range that a plain value keeps
 */
export function quantityFormat(kind: MetricKind | "numeric", range: number, digits = 2): QuantityFormat {
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

/** Whether a mean is a share of rows: of those of a level, or of ones among zeros and ones. */
export const isShare = ({ kind, unit }: { readonly kind: "share" | "numeric"; readonly unit?: string }) =>
  kind === "share" || unit === "0/1";

/** Formats of a feature that moves over `range`: dates as dates. */
export function featureFormat(
  feature: { readonly kind: "share" | "numeric"; readonly unit: string },
  range: number,
): QuantityFormat {
  if (isShare(feature)) return quantityFormat("share", range);
  const plain = quantityFormat("numeric", range);
  if (feature.unit !== "year") return plain;
  return {
    value: date,
    bare: date,
    change: plain.change,
    pair: (before, after) => [date(before), date(after)],
  };
}
