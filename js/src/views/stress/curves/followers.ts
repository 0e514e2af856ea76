/** Where the features go that are not moved, as far as the curves tell: levels of the column that is. */

import type { FeatureMessage, StressCurves } from "../../../wire/stress/curves";

const SUM_OF_ALL = 1e-6;

/**
 * The share of a feature while another of its column is moved; NaN where the curves do not tell.
 *
 * Rows of the other levels share one weight, so that their shares keep their ratios; of two levels the one is what the
 * other leaves, whatever is held.
 */
export function followedShare(data: StressCurves, moved: number, tau: number, follower: number): number {
  const { features, hold } = data.message;
  const [leads, follows] = [features[moved], features[follower]] as [FeatureMessage, FeatureMessage];
  const [before, now] = [data.zero, tau].map((t) => data.population(moved).target[t] as number) as [
    number,
    number,
  ];
  if (leads.kind !== "share" || follows.kind !== "share" || leads.column !== follows.column)
    return Number.NaN;
  const isRest = Math.abs(leads.mean + follows.mean - 1) < SUM_OF_ALL;
  if (hold !== "none" && !isRest) return Number.NaN;
  return (follows.mean * (1 - now)) / (1 - before);
}
