/** A metric with its interval, as the kernel sends it, and how far groups are apart. */

import { type Infer, nullAs, number, numberOrNaN, object } from "../schema";

/** The reason's code is its place among the message's, the amount what it quotes. */
export const estimateMessage = object({
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  reason: number,
  amount: nullAs(Infinity, number),
});
export type EstimateMessage = Infer<typeof estimateMessage>;

/** Largest less smallest, which are places among the groups. */
export interface Gap {
  readonly largest: number;
  readonly smallest: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}
