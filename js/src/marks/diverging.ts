/** Colours that run from a middle both ways, mixed by the page so that they follow its theme. */

/** How far a value lies from the middle, in [-1, 1]. */
export function leanOf(value: number, middle: number, span: number): number {
  return Math.max(-1, Math.min(1, (value - middle) / (span || 1)));
}

/** Largest distance of any finite value from the middle; 0 when there is none. */
export function largestDistance(values: ArrayLike<number>, middle: number): number {
  let largest = 0;
  for (let k = 0; k < values.length; k++) {
    const distance = Math.abs((values[k] as number) - middle);
    if (distance > largest && distance < Infinity) largest = distance;
  }
  return largest;
}

/** A CSS colour for a lean: blue below the middle, orange above. */
export function divergingColor(lean: number): string {
  const end = lean < 0 ? "var(--ts-map-low)" : "var(--ts-map-high)";
  return `color-mix(in oklab, ${end} ${(100 * Math.abs(lean)).toFixed(1)}%, var(--ts-map-middle))`;
}
