/** Where a test's own numbers stand, as `layout_of` in `tauscope.views.wire` says it. */

import type { ArrayMessage } from "../../src/wire/messages";

/** Arrays in C order: their names along the axis "field", or one name without such an axis. */
export function layoutOf(
  names: readonly string[],
  dims: string,
  shape: readonly number[],
  start = 0,
): readonly ArrayMessage[] {
  const axes = dims.split(" ").map((dim, k) => ({
    dim,
    length: shape[k] as number,
    stride: shape.slice(k + 1).reduce((product, n) => product * n, 1),
  }));
  const along = axes.find(({ dim }) => dim === "field")?.stride ?? 0;
  const others = axes.filter(({ dim }) => dim !== "field");
  return names.map((name, k) => ({
    name,
    dims: others.map(({ dim }) => dim),
    shape: others.map(({ length }) => length),
    strides: others.map(({ stride }) => stride),
    start: start + k * along,
  }));
}
