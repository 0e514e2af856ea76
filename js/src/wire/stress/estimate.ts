/** A metric with its interval, as the kernel sends it. */

import { type Infer, nullAs, number, object } from "../schema";

const orNaN = nullAs(Number.NaN, number);

/** The reason's code is its place among the message's, the amount what it quotes. */
export const estimateMessage = object({
  value: orNaN,
  lower: orNaN,
  upper: orNaN,
  reason: number,
  amount: nullAs(Infinity, number),
});
export type EstimateMessage = Infer<typeof estimateMessage>;
