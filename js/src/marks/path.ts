/** SVG path data through points, broken where a point is not finite. */

export type At = (t: number) => number;

const tenth = (value: number) => String(Math.round(10 * value) / 10);

/** A line through the given positions, in order. */
export function linePath(positions: Iterable<number>, x: At, y: At): string {
  let path = "";
  let joined = false;
  for (const t of positions) {
    const [right, down] = [x(t), y(t)];
    const defined = Number.isFinite(right) && Number.isFinite(down);
    if (defined) path += `${joined ? "L" : "M"}${tenth(right)},${tenth(down)}`;
    joined = defined;
  }
  return path;
}

/** The area between two lines; one closed shape for each stretch where both are defined. */
export function areaPath(positions: readonly number[], x: At, lower: At, upper: At): string {
  let path = "";
  let stretch: number[] = [];
  const close = () => {
    if (stretch.length > 1) {
      const back = linePath([...stretch].reverse(), x, lower).replace("M", "L");
      path += `${linePath(stretch, x, upper)}${back}Z`;
    }
    stretch = [];
  };
  for (const t of positions) {
    if (Number.isFinite(lower(t)) && Number.isFinite(upper(t))) stretch.push(t);
    else close();
  }
  close();
  return path;
}
