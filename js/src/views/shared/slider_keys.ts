/** Keys of a τ slider, counted in steps of the τ grid. */

const FAR = 10;

/** The position a key leads to, or null for a key that is not the slider's. */
export function keyTarget(key: string, position: number, last: number, zero: number): number | null {
  const clamp = (k: number) => Math.min(last, Math.max(0, k));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return clamp(position + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return clamp(position - 1);
    case "PageUp":
      return clamp(position + FAR);
    case "PageDown":
      return clamp(position - FAR);
    case "Home":
      return 0;
    case "End":
      return last;
    case "Escape":
      return zero;
    case "Enter":
      return position;
    default:
      return null;
  }
}
