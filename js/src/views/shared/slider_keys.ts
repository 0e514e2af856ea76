/** Keys of a slider, counted in its steps. */

const FAR = 10;

/** What PageUp and PageDown move τ by, in every view and on every grid. */
export const PAGE = 0.2;

/**
 * The position a key leads to, or null for a key that is not the slider's.
 *
 * @param page the position that PageUp (1) or PageDown (-1) leads to; by default ten steps on
 */
export function keyTarget(
  key: string,
  position: number,
  last: number,
  zero: number,
  page = (direction: 1 | -1) => position + FAR * direction,
): number | null {
  const clamp = (k: number) => Math.min(last, Math.max(0, k));
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return clamp(position + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return clamp(position - 1);
    case "PageUp":
      return clamp(page(1));
    case "PageDown":
      return clamp(page(-1));
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
