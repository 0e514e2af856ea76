/** Where a value stands among ascending ones. */

type Ascending = ArrayLike<number>;

/** The first place whose value `goes` on from; the length where there is none, and for what is no number. */
function firstPlace(values: Ascending, value: number, goes: (one: number) => boolean): number {
  let [low, high] = [0, values.length];
  if (Number.isNaN(value)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (goes(values[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first place of a value that is not less. */
export const bisectLeft = (values: Ascending, value: number): number =>
  firstPlace(values, value, (one) => !(one < value));

/** The first place of a value that is more. */
export const bisectRight = (values: Ascending, value: number): number =>
  firstPlace(values, value, (one) => !(one <= value));

/** The place of the nearest value, of two as near the second. */
export function bisectCenter(values: Ascending, value: number): number {
  const after = Math.min(bisectLeft(values, value), values.length - 1);
  const [low, high] = [values[after - 1] as number, values[after] as number];
  return after > 0 && value - low < high - value ? after - 1 : after;
}
