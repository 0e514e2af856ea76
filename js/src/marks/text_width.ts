/** Widths of labels without asking the page, for layout before anything is drawn. */

/** Widths in em of a common sans-serif face, by kind of letter. */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/[iljI.,:;'|!]/, 0.29],
  [/[tfr()[\]"*\- ]/, 0.37],
  [/[mwMW@%&…=+<>→≤≥]/, 0.88],
  [/[A-Z0-9\u0370-\u04ff]/, 0.63],
  [/[\u2e80-\uffff]/, 1],
];
const ORDINARY = 0.57;
const NARROWEST = Math.min(...KINDS.map(([, width]) => width));

function em(character: string): number {
  return KINDS.find(([kind]) => kind.test(character))?.[1] ?? ORDINARY;
}

/** Faces differ: the estimate is for a wide one, so that a label is cut early rather than by the edge. */
const WIDE_FACE = 1.12;

/** How much wider than the estimate a bold face runs: the round letters of DejaVu Sans by this much. */
export const BOLD = 1.19;

/** Letters measured one by one; no place is as wide, and a name may hold 100,000. */
const MEASURED = 400;

/** Approximate width of a text in a sans-serif face, pixels; beyond its first 400 letters they count as ordinary. */
export function textWidth(text: string, size: number): number {
  let width = ORDINARY * Math.max(0, text.length - MEASURED);
  for (const character of text.slice(0, MEASURED)) width += em(character);
  return width * size * WIDE_FACE;
}

/** The text, or its first and last letters with "…" between: names of one kind differ at their ends. */
export function cutMiddle(text: string, most: number): string {
  // a letter is one code unit or two
  if (text.length <= most || (text.length <= 2 * most && [...text].length <= most)) return text;
  const first = Math.ceil((most - 1) / 2);
  const last = most - 1 - first;
  const start = [...text.slice(0, 2 * first)].slice(0, first);
  const end = [...text.slice(text.length - 2 * last)];
  return `${start.join("").trimEnd()}…${end
    .slice(end.length - last)
    .join("")
    .trimStart()}`;
}

/** The text, or as much of it as fits in `room` pixels, cut in its middle. */
export function fitText(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  let most = Math.min(text.length - 1, Math.max(3, Math.ceil(room / (NARROWEST * size))));
  while (most > 2 && textWidth(cutMiddle(text, most), size) > room) most--;
  return cutMiddle(text, most);
}
