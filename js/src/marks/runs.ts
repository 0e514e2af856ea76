/** Lines and bands cut where they stop being trusted. */

import { type At, areaPath, linePath } from "./path";

/** Path data of one line: the part to believe, and the part drawn faded. */
export interface Trace {
  readonly solid: string;
  readonly faded: string;
}

/**
 * Stretches of consecutive positions whose segments share a verdict. A segment is trusted when both its ends
 * are; neighbouring stretches share the point between them, so that nothing gaps.
 */
export function runs(trusted: ArrayLike<number | boolean>, wanted: boolean): number[][] {
  const found: number[][] = [];
  for (let t = 0; t + 1 < trusted.length; t++) {
    if (Boolean(trusted[t] && trusted[t + 1]) !== wanted) continue;
    const last = found.at(-1);
    if (last?.at(-1) === t) last.push(t + 1);
    else found.push([t, t + 1]);
  }
  return found;
}

export function traceLine(x: At, y: At, trusted: ArrayLike<number | boolean>): Trace {
  const path = (wanted: boolean) => runs(trusted, wanted).map((run) => linePath(run, x, y));
  return { solid: path(true).join(""), faded: path(false).join("") };
}

export function traceBand(x: At, lower: At, upper: At, trusted: ArrayLike<number | boolean>): Trace {
  const path = (wanted: boolean) => runs(trusted, wanted).map((run) => areaPath(run, x, lower, upper));
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
