/** Diagonal lines over a rectangle. */

const APART = 5;

/** Path of the lines, each within the rectangle from (left, top) to (right, bottom). */
export function hatch(left: number, right: number, top: number, bottom: number): string {
  const height = bottom - top;
  const first = Math.ceil((left - height) / APART) * APART;
  const lines: string[] = [];
  for (let foot = first; foot < right; foot += APART) {
    const start = Math.max(left, foot);
    const end = Math.min(right, foot + height);
    if (end > start) {
      const [from, to] = [bottom - (start - foot), bottom - (end - foot)];
      lines.push(`M${start.toFixed(1)},${from.toFixed(1)}L${end.toFixed(1)},${to.toFixed(1)}`);
    }
  }
  return lines.join("");
}
