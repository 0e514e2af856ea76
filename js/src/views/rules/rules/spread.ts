/** The distribution function of one set as steps, and how much of it lies in a span. */

import type { Distribution, Same } from "../../../wire/rules/distribution";

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Shares below a span, in it and above. */
export interface Parts {
  readonly below: number;
  readonly within: number;
  readonly above: number;
}

/** The values that count as the same: those of the answer, or within √t of the prediction. */
export function spanWithin({ decided, low, high, t: answered }: Same, t: number | null): Span {
  if (t === null || t === answered) return { low, high };
  const reach = Math.sqrt(t);
  return { low: decided - reach, high: decided + reach };
}

export function partsOf({ values, shares }: Distribution, { low, high }: Span): Parts {
  let [below, within, above] = [0, 0, 0];
  values.forEach((value, k) => {
    const share = shares[k] as number;
    if (value < low) below += share;
    else if (value > high) above += share;
    else within += share;
  });
  return { below, within: Math.min(1, within), above };
}

/** The least value up to which a share of the rows lies. */
export function quantileOf({ values, shares }: Distribution, level: number): number {
  let reached = 0;
  const at = shares.findIndex((share) => {
    reached += share;
    return reached >= level - 1e-9;
  });
  return values.at(at) ?? Number.NaN;
}

/** Path data of the steps in a square of side 1, its floor at 1; `at` places a value from left to right. */
export function stepPath({ values, shares }: Distribution, at: (value: number) => number): string {
  let reached = 0;
  const steps = values.map((value, k) => {
    reached += shares[k] as number;
    return `H${at(value).toFixed(4)}V${(1 - Math.min(1, reached)).toFixed(4)}`;
  });
  return `M0,1${steps.join("")}H1`;
}
