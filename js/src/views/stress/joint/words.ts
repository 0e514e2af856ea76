/** Sentences of the panel. */

import type { FeasibleRange } from "../../../solve/stress/ranges";
import { count } from "../../../theme/formats";
import type { Hold } from "../../../wire/shared_stress";

/** What the other features do meanwhile; "" where they follow along. */
export function holdWords(hold: Hold, held: number, moved: number): string {
  if (hold === "none") return "";
  const it = moved === 1 ? "it" : "them";
  if (held === 0) return "no other feature can be held";
  const others =
    held === 1 ? "the mean of one other feature stays" : `the means of ${count(held)} other features stay`;
  return hold === "means" ? others : `${others}, uncorrelated with ${it}`;
}

/** Whether the others leave a feature less than its whole slider. */
export function isLimited(range: FeasibleRange | null): boolean {
  return (
    range !== null &&
    (range.kind === "none" || (range.kind === "range" && (range.low > -0.995 || range.high < 0.995)))
  );
}

/** "the others leave 31.2 to 52.0 (τ −0.40 to 0.80)" */
export function rangeWords(
  range: FeasibleRange,
  mean: (tau: number) => string,
  tau: (value: number) => string,
): string {
  if (range.kind === "none") return "the others exclude each other";
  if (range.kind === "unknown") return "";
  if (range.high - range.low < 1e-4) return `the others leave it only ${mean(range.low)}`;
  return `the others leave ${mean(range.low)} to ${mean(range.high)} (τ ${tau(range.low)} to ${tau(range.high)})`;
}

/** How a standardised difference of means reads. */
export function shiftWords(smd: number): string {
  if (!Number.isFinite(smd)) return "n/a";
  const text = Math.abs(smd).toFixed(2);
  return Number(text) === 0 ? "0.00" : `${smd < 0 ? "−" : "+"}${text}`;
}
