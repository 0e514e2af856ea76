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

function em(character: string): number {
  return KINDS.find(([kind]) => kind.test(character))?.[1] ?? ORDINARY;
}

/** Faces differ: the estimate is for a wide one, so that a label is cut early rather than by the edge. */
const WIDE_FACE = 1.12;

/** How much wider than the estimate a bold face runs: the round letters of DejaVu Sans by this much. */
export const BOLD = 1.19;

/** Approximate width of a text in a sans-serif face, pixels. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += em(character);
  return width * size * WIDE_FACE;
}

/** The text, or its first and last letters with "…" between: names of one kind differ at their ends. */
export function cutMiddle(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const first = Math.ceil((most - 1) / 2);
  const start = characters.slice(0, first).join("").trimEnd();
  return `${start}…${characters
    .slice(characters.length - (most - 1 - first))
    .join("")
    .trimStart()}`;
}

/** The text, or as much of it as fits in `room` pixels, cut in its middle. */
export function fitText(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  let most = [...text].length - 1;
  while (most > 2 && textWidth(cutMiddle(text, most), size) > room) most--;
  return cutMiddle(text, most);
}
