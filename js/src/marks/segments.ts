/** Lines and bands cut where they stop being reliable. */

import { type At, areaPath, linePath } from "./path";

/** Path data of one line: the part to believe, and the part drawn faded. */
export interface Trace {
  readonly solid: string;
  readonly faded: string;
}

/**
 * Segments of a line that are reliable, or that are not, as positions. A step is reliable when both its ends are;
 * neighbouring segments share the point between them, so that nothing gaps.
 */
export function segments(reliable: ArrayLike<number | boolean>, wanted: boolean): number[][] {
  const found: number[][] = [];
  for (let t = 0; t + 1 < reliable.length; t++) {
    if (Boolean(reliable[t] && reliable[t + 1]) !== wanted) continue;
    const last = found.at(-1);
    if (last?.at(-1) === t) last.push(t + 1);
    else found.push([t, t + 1]);
  }
  return found;
}

export function traceLine(x: At, y: At, reliable: ArrayLike<number | boolean>): Trace {
  const path = (wanted: boolean) => segments(reliable, wanted).map((segment) => linePath(segment, x, y));
  return { solid: path(true).join(""), faded: path(false).join("") };
}

export function traceBand(x: At, lower: At, upper: At, reliable: ArrayLike<number | boolean>): Trace {
  const path = (wanted: boolean) =>
    segments(reliable, wanted).map((segment) => areaPath(segment, x, lower, upper));
  return { solid: path(true).join(""), faded: path(false).join("") };
}

/** Many lines as at most `groups` traces: few elements, yet where lines overlap it still shows. */
export function groupTraces(traces: readonly Trace[], groups = 16): Trace[] {
  const joined = Array.from({ length: Math.min(groups, traces.length) }, () => ({ solid: "", faded: "" }));
  traces.forEach(({ solid, faded }, k) => {
    const group = joined[k % joined.length] as { solid: string; faded: string };
    group.solid += solid;
    group.faded += faded;
  });
  return joined;
}
