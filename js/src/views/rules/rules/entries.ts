/** Values of listed rows as a person reads them. */

import { count, quantityFormat, UNDEFINED } from "../../../theme/formats";
import type { ListedColumn } from "../../../wire/rules/listed";

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
export function entryWords(column: ListedColumn | null, value: number): string {
  if (Number.isNaN(value)) return column ? "missing" : UNDEFINED;
  if (column?.kind === "levels") return column.levels[value] ?? UNDEFINED;
  if (column?.kind === "date") return new Date(value * DAY).toISOString().slice(0, 10);
  return numberWords(value) + (column?.kind === "duration" ? " days" : "");
}

export function scoreWords(probability: boolean, score: number): string {
  return (probability ? percent : three)(score);
}
