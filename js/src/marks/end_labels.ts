/** Which lines are named at their end, and where the names go so that none covers another. */

/**
 * Positions at least `gap` apart within [low, high], as near as can be to the desired ones.
 *
 * Subtracting gap·rank from the sorted positions turns the spacing into an order constraint; the least-squares
 * answer pools adjacent violators. With no room for all, the gap shrinks to what there is.
 */
export function spreadLabels(desired: readonly number[], gap: number, low: number, high: number): number[] {
  const n = desired.length;
  if (n === 0) return [];
  const step = Math.min(gap, (high - low) / Math.max(1, n - 1));
  const order = desired.map((_, k) => k).sort((a, b) => (desired[a] as number) - (desired[b] as number));
  const blocks: { sum: number; size: number }[] = [];
  order.forEach((k, rank) => {
    let block = { sum: (desired[k] as number) - rank * step, size: 1 };
    for (
      let last = blocks.at(-1);
      last && last.sum / last.size > block.sum / block.size;
      last = blocks.at(-1)
    ) {
      block = { sum: block.sum + last.sum, size: block.size + last.size };
      blocks.pop();
    }
    blocks.push(block);
  });
  const top = high - (n - 1) * step;
  const placed = new Array<number>(n);
  let rank = 0;
  for (const { sum, size } of blocks) {
    const base = Math.min(top, Math.max(low, sum / size));
    for (let k = 0; k < size; k++, rank++) placed[order[rank] as number] = base + rank * step;
  }
  return placed;
}

export interface EndLabelOptions {
  readonly gap: number;
  readonly low: number;
  readonly high: number;
  readonly most: number;
  /** A label that would stand farther than this from its line is left out, unless it is the chosen one's. */
  readonly farthest: number;
}

/** The chosen line, then from the outside in: highest, lowest, next highest, … */
function byProminence(ends: readonly number[], chosen: number): number[] {
  const others = ends
    .map((_, k) => k)
    .filter((k) => k !== chosen && Number.isFinite(ends[k]))
    .sort((a, b) => (ends[a] as number) - (ends[b] as number));
  const order = Number.isFinite(ends[chosen]) ? [chosen] : [];
  for (let k = 0; k < others.length; k++) {
    const fromTop = k % 2 === 0;
    order.push(others[fromTop ? k / 2 : others.length - (k + 1) / 2] as number);
  }
  return order;
}

/**
 * The lines to name and where: the chosen one always, others while they stay near their ends.
 *
 * @param ends end of each line, pixels; NaN for a line without one
 */
export function endLabels(
  ends: readonly number[],
  chosen: number,
  { gap, low, high, most, farthest }: EndLabelOptions,
): { line: number; at: number }[] {
  const desired = (lines: readonly number[]) => lines.map((line) => ends[line] as number);
  let shown: number[] = [];
  let placed: number[] = [];
  for (const line of byProminence(ends, chosen)) {
    if (shown.length === most || (shown.length + 1) * gap > high - low + gap) break;
    const next = [...shown, line];
    const tried = spreadLabels(desired(next), gap, low, high);
    const near = tried.every(
      (at, k) => next[k] === chosen || Math.abs(at - (ends[next[k] as number] as number)) <= farthest,
    );
    if (near) [shown, placed] = [next, tried];
  }
  return shown.map((line, k) => ({ line, at: placed[k] as number }));
}
