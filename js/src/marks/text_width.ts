/** Widths of labels without asking the page, for layout before anything is drawn. */

const NARROW = /[iljtfrI.,:;'|!()[\] ]/;
const WIDE = /[mwMW@%…]/;
const CAPITAL = /[A-Z0-9_=<>+-]/;

function em(character: string): number {
  if (NARROW.test(character)) return 0.31;
  if (WIDE.test(character)) return 0.86;
  if (CAPITAL.test(character)) return 0.62;
  return (character.codePointAt(0) as number) >= 0x2e80 ? 1 : 0.54;
}

/** Faces differ: the estimate is for a wide one, so that a label is cut early rather than by the edge. */
const WIDE_FACE = 1.12;

/** Approximate width of a text in a sans-serif face, pixels. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += em(character);
  return width * size * WIDE_FACE;
}

/** The text, or as much of it as fits in `room` pixels with "…" at its end. */
export function fitText(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join("")}…`, size) > room) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}
