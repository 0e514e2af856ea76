/** How much of a way is gone: in words, and as it is typed. */

export interface HasAmount {
  /** In [0, 1]. */
  readonly amount: number;
}

export function nearestAmount(steps: readonly HasAmount[], amount: number): number {
  const away = (k: number) => Math.abs((steps[k]?.amount ?? 0) - amount);
  return steps.reduce((best, _, k) => (away(k) < away(best) ? k : best), 0);
}

export function amountWords(amount: number): string {
  return `${Number((100 * amount).toPrecision(6))} %`;
}

const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)(%?)$/;

export type Typed = { readonly at: number; readonly words: string } | { readonly problem: string };

/** Read "70 %", "70" or "0.7" as the nearest amount that is there. */
export function readAmount(typed: string, steps: readonly HasAmount[]): Typed {
  const found = NUMBER.exec(typed.replace(/\s/g, "").replace(",", "."));
  if (!found) return { problem: "Write how much of the way, such as 70 % or 0.7." };
  const given = Number(found[1]);
  const amount = found[2] || given > 1 ? given / 100 : given;
  if (amount > 1) return { problem: "The way goes from 0 to 100 %." };
  const at = nearestAmount(steps, amount);
  const near = steps[at]?.amount ?? 0;
  const off = Math.abs(near - amount) > 1e-9;
  return { at, words: off ? `${amountWords(near)} is the nearest that was computed.` : "" };
}
