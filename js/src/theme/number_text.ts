/** Numbers as text: thousands apart, a proper minus, and none before what is written as 0. */

export type Formatter = (value: number) => string;

function withSign(write: Formatter, plus: boolean): Formatter {
  return (value) => {
    const text = write(Math.abs(value));
    if ((value < 0 || Object.is(value, -0)) && (plus || Number.parseFloat(text) !== 0)) return `−${text}`;
    return plus ? `+${text}` : text;
  };
}

const apart = (text: string) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

/** @param plus whether a sign always stands before it, that of what rounds to 0 too */
export function fixed(decimals: number, plus = false): Formatter {
  return withSign((size) => apart(size.toFixed(decimals)), plus);
}

/** Four digits and an exponent, without zeros at their end: "1.25e-9". */
export function scientific(plus = false): Formatter {
  return withSign((size) => size.toExponential(3).replace(/\.?0+e/, "e"), plus);
}
