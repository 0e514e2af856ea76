/** What terms mean, in the words of "How to read this" on saved pages. */

export const TERMS = {
  ess: "How many rows of equal weight would say roughly as much; few of them mean wide intervals.",
  distance: "TV is the share of the weight that was moved; KL, in nats, is kept as small as the move allows.",
  paretoK: "How heavy the largest weights are; above 0.5 the numbers may rest on a few rows.",
  epsilon: "The share of the rows' weight that may be replaced or moved.",
  certified: "No such change moves the curve out of the band; estimated bounds do not promise that.",
} as const;
