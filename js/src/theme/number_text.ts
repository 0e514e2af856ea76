/** Numbers as text: thousands apart, a proper minus, and none before what is written as 0. */

export type Formatter = (value: number) => string;

function withSign(write: Formatter, plus: boolean): Formatter {
  return (value) => {
    const text = write(Math.abs(value));
    if (Number.parseFloat(text) === 0) return text;
    return value < 0 ? `−${text}` : `${plus ? "+" : ""}${text}`;
  };
}

const apart = (text: string) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

/** @param plus whether a sign stands before it, but for what rounds to 0 */
export function fixed(decimals: number, plus = false): Formatter {
  return withSign((size) => apart(size.toFixed(decimals)), plus);
}

/** Four digits and an exponent, without zeros at their end: "1.25e-9". */
export function scientific(plus = false): Formatter {
  return withSign((size) => size.toExponential(3).replace(/\.?0+e/, "e"), plus);
}
