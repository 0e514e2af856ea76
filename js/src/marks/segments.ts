/** Lines and bands cut where their level changes: reliable, wide, unreliable. */

import { type At, areaPath, linePath } from "./path";

/** Path data of one line by level: 0, 1 and 2 as in `wire/reasons`. */
export interface Trace {
  readonly solid: string;
  readonly wide: string;
  readonly faded: string;
}

/**
 * Segments of a line whose level is wanted, as positions. A step has the worse level of its two ends; neighbouring
 * segments share the point between them, so that nothing gaps.
 */
export function segments(levels: ArrayLike<number>, wanted: (level: number) => boolean): number[][] {
  const found: number[][] = [];
  for (let t = 0; t + 1 < levels.length; t++) {
    if (!wanted(Math.max(levels[t] as number, levels[t + 1] as number))) continue;
    const last = found.at(-1);
    if (last?.at(-1) === t) last.push(t + 1);
    else found.push([t, t + 1]);
  }
  return found;
}

export function traceLine(x: At, y: At, levels: ArrayLike<number>): Trace {
  const path = (wanted: number) =>
    segments(levels, (level) => level === wanted)
      .map((segment) => linePath(segment, x, y))
      .join("");
  return { solid: path(0), wide: path(1), faded: path(2) };
}

/** A band is as good where it is wide: there it is what can be read. */
export function traceBand(x: At, lower: At, upper: At, levels: ArrayLike<number>): Trace {
  const path = (unreliable: boolean) =>
    segments(levels, (level) => (level === 2) === unreliable)
      .map((segment) => areaPath(segment, x, lower, upper))
      .join("");
  return { solid: path(false), wide: "", faded: path(true) };
}

/** Many lines as at most `groups` traces: few elements, yet where lines overlap it still shows. */
export function groupTraces(traces: readonly Trace[], groups = 16): Trace[] {
  const joined = Array.from({ length: Math.min(groups, traces.length) }, () => ({
    solid: "",
    wide: "",
    faded: "",
  }));
  traces.forEach(({ solid, wide, faded }, k) => {
    const group = joined[k % joined.length] as { solid: string; wide: string; faded: string };
    group.solid += solid;
    group.wide += wide;
    group.faded += faded;
  });
  return joined;
}
