/** What a person types for a feature's mean or share: "45", "+5", "-3", "+10 %", "2015-06-01". */

import { type Formatter, fromDate, isShare } from "../../theme/formats";

/** The feature, and the means that can be asked of it. */
export interface Asked {
  readonly name: string;
  readonly kind: "numeric" | "share";
  readonly unit: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export type Typed = { readonly target: number } | { readonly problem: string };

const NUMBER = String.raw`\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?`;
const ABSOLUTE = new RegExp(`^(=[+-]?)?(${NUMBER})(%?)$`, "i");
const SHIFT = new RegExp(`^([+-])(${NUMBER})(%?)$`, "i");
const TIME = new RegExp(`^([+-])(${NUMBER})(d|w|m|y)[a-z]*$`, "i");
const DATE = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/;
const YEARS: Readonly<Record<string, number>> = { d: 1 / 365.2425, w: 7 / 365.2425, m: 1 / 12, y: 1 };

/** Without spaces, typographic signs and the commas of thousands; a decimal comma becomes a point. */
function plainText(text: string): string {
  const dense = text.replace(/\s/g, "").replace(/[−–]/g, "-");
  if (/\d,\d{3}(?!\d)/.test(dense) && !/,\d{1,2}(?!\d)|,\d{4}/.test(dense)) return dense.replace(/,/g, "");
  return dense.replace(/,/g, ".");
}

function readDate(text: string, { mean }: Asked): Typed {
  const date = DATE.exec(text);
  if (date) {
    const [year, month, day] = [date[1], date[2] ?? 1, date[3] ?? 1].map(Number) as [number, number, number];
    const target = fromDate(year, month, day);
    if (Number.isFinite(target)) return { target };
  }
  const shift = TIME.exec(text);
  if (!shift) return { problem: "Write a date such as 2015-06-01, or a change such as +90 days or -1 year." };
  const years = Number(shift[2]) * (YEARS[(shift[3] as string).toLowerCase()] as number);
  return { target: mean + (shift[1] === "-" ? -years : years) };
}

function readShare(text: string, { mean }: Asked): Typed {
  const shift = SHIFT.exec(text);
  if (shift) return { target: mean + (Number(`${shift[1]}${shift[2]}`) || 0) / 100 };
  const found = ABSOLUTE.exec(text);
  if (!found) return { problem: "Write a share such as 40 %, or a change in points such as +5 or -3." };
  const value = Number(found[2]);
  if (value > 0 && value <= 1 && !found[3]) {
    return { problem: `Is it ${value} % or ${Number((100 * value).toPrecision(12))} %? Write the % sign.` };
  }
  return { target: value / 100 };
}

function readNumber(text: string, { mean }: Asked): Typed {
  const shift = SHIFT.exec(text);
  if (shift) {
    const by = Number(`${shift[1]}${shift[2]}`);
    return { target: shift[3] ? mean + (Math.abs(mean) * by) / 100 : mean + by };
  }
  const found = ABSOLUTE.exec(text);
  if (found?.[3]) return { problem: `Write +${found[2]} % for that much more, or -${found[2]} % for less.` };
  if (!found) return { problem: "Write a mean such as 43.5, or a change such as +5, -3 or +10 %." };
  return { target: Number(`${(found[1] ?? "").replace("=", "")}${found[2]}`) };
}

/**
 * Read a mean, or a change from the data's; nothing means the data's own.
 *
 * @param write how means of the feature are written: what is written as an end of the range is that end
 */
export function readTyped(text: string, asked: Asked, write: Formatter): Typed {
  const { name, unit, mean, low, high } = asked;
  const plain = plainText(text);
  if (plain === "") return { target: mean };
  const read = unit === "year" ? readDate : isShare(asked) ? readShare : readNumber;
  const typed = read(plain, asked);
  if ("problem" in typed) return typed;
  const { target } = typed;
  if (target < low && write(target) === write(low)) return { target: low };
  if (target > high && write(target) === write(high)) return { target: high };
  if (target >= low && target <= high) return typed;
  return { problem: `Here ${name} goes from ${write(low)} to ${write(high)}.` };
}

/** What may be typed, for those who ask. */
export function typingHint(asked: Pick<Asked, "kind" | "unit">): string {
  if (asked.unit === "year")
    return "A date such as 2015-06-01, or a change such as +90 days or -1 year; empty: as tested";
  if (isShare(asked)) return "A share such as 40 %, or a change in points such as +5 or -3; empty: as tested";
  return "A mean such as 43.5, or a change such as +5, -3 or +10 %; =-3 for a mean below 0; empty: as tested";
}
