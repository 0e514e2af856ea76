/** Which rows of a long list are in sight, and where they are drawn. */

/** Height of a row, pixels; the style sheet has the same. */
export const ROW_HEIGHT = 26;
/** Rows drawn beyond each end of what is in sight. */
const BEYOND = 6;
/** No element is taller: browsers stop at about this many pixels. */
const TALLEST = 8_000_000;

/** Height of all rows together, pixels. */
export function fullHeight(n: number): number {
  return Math.min(n * ROW_HEIGHT, TALLEST);
}

/** The row at the top, with its fraction; a list beyond the tallest moves by more than a pixel for a pixel. */
function topRow(scrolled: number, height: number, n: number): number {
  const [full, shown] = [fullHeight(n), height / ROW_HEIGHT];
  const way = full - height;
  if (way <= 0) return 0;
  return (Math.min(Math.max(scrolled, 0), way) / way) * (n - shown);
}

export interface Sight {
  readonly first: number;
  /** Behind the last. */
  readonly end: number;
  /** Where the first stands, pixels from the top of all. */
  readonly top: number;
}

export function sightOf(scrolled: number, height: number, n: number): Sight {
  const at = topRow(scrolled, height, n);
  const first = Math.max(0, Math.floor(at) - BEYOND);
  const end = Math.min(n, Math.ceil(at + height / ROW_HEIGHT) + BEYOND);
  return {
    first,
    end,
    top: Math.min(scrolled, Math.max(0, fullHeight(n) - height)) - (at - first) * ROW_HEIGHT,
  };
}

/** How far to scroll so that a row is in sight; as far as now where it is. */
export function scrolledTo(place: number, scrolled: number, height: number, n: number): number {
  const shown = height / ROW_HEIGHT;
  const at = topRow(scrolled, height, n);
  const wanted = place < at ? place : place + 1 > at + shown ? place + 1 - shown : at;
  if (wanted === at) return scrolled;
  return (wanted / (n - shown)) * (fullHeight(n) - height);
}
