/** Values of listed rows as a person reads them. */

import { count, quantityFormat, UNDEFINED } from "../../theme/formats";

/** How the values of a column are read: numbers, codes of `levels`, or days since 1970. */
export interface EntryColumn {
  readonly kind: "number" | "levels" | "date" | "duration";
  readonly levels: readonly string[];
}

const DAY = 86_400_000;
/** Significant digits of a number that is not whole. */
const DIGITS = 6;
const percent = quantityFormat("share", 1).value;
const three = quantityFormat("value", 1, 3).bare;

function numberWords(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return count(value);
  return String(Number(value.toPrecision(DIGITS))).replace(/-/g, "−");
}

/** @param column null for the value of a regression */
export function entryWords(column: EntryColumn | null, value: number): string {
  if (Number.isNaN(value)) return column ? "missing" : UNDEFINED;
  if (column?.kind === "levels") return column.levels[value] ?? UNDEFINED;
  if (column?.kind === "date") {
    const time = new Date(Math.round(value * DAY)).toISOString();
    return Number.isInteger(value) ? time.slice(0, 10) : time.slice(0, 16).replace("T", " ");
  }
  return numberWords(value) + (column?.kind === "duration" ? " days" : "");
}

export function scoreWords(probability: boolean, score: number): string {
  return (probability ? percent : three)(score);
}
