/** Round steps along an axis, 1, 2 or 5 times a power of ten, as d3-array takes them. */

/** A step of at least 1; of a smaller one, negative, how many make 1: multiples of either are exact. */
function increment(low: number, high: number, count: number): number {
  const rough = (high - low) / count;
  const power = Math.floor(Math.log10(rough));
  const error = rough / 10 ** power;
  const factor = error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.SQRT2 ? 2 : 1;
  return power < 0 ? -(10 ** -power) / factor : 10 ** power * factor;
}

/** Multiples of a step, and which of them a value is. */
function multiples(step: number) {
  return {
    at: (k: number) => (step < 0 ? k / -step : k * step),
    of: (value: number) => (step < 0 ? value * -step : value / step),
  };
}

export function tickStep(low: number, high: number, count: number): number {
  return multiples(increment(low, high, count)).at(1);
}

/** Multiples of a round step from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  if (low === high) return [low];
  const { at, of } = multiples(increment(low, high, count));
  let [first, last] = [Math.round(of(low)), Math.round(of(high))];
  if (at(first) < low) first++;
  if (at(last) > high) last--;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => at(first + k));
}

/** The ends moved out to round values. */
export function nice(low: number, high: number, count: number): [number, number] {
  let [start, end, before] = [low, high, 0];
  for (;;) {
    const step = increment(start, end, count);
    if (step === before || !Number.isFinite(step) || step === 0) return [start, end];
    const { at, of } = multiples(step);
    const [first, last] = [Math.ceil(of(start)), Math.floor(of(end))];
    start = at(at(first) > start ? first - 1 : first);
    end = at(at(last) < end ? last + 1 : last);
    before = step;
  }
}
