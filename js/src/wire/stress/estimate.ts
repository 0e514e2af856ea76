/** A metric with its interval, as the kernel sends it, and how far groups are apart. */

export type { EstimateMessage } from "../messages";

/** Largest less smallest, which are places among the groups. */
export interface Gap {
  readonly largest: number;
  readonly smallest: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}
