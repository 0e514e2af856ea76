/** A metric with its interval, as the kernel sends it, and how far groups are apart. */

/** Largest less smallest, which are places among the groups. */
export interface Gap {
  readonly largest: number;
  readonly smallest: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** What a gap is sent as. */
export const OF_GAP = ["largest", "smallest", "gap", "gap_lower", "gap_upper"] as const;

export function gapOf(sent: Readonly<Record<(typeof OF_GAP)[number], number>>): Gap {
  const { largest, smallest, gap: value, gap_lower: lower, gap_upper: upper } = sent;
  return { largest, smallest, value, lower, upper };
}
