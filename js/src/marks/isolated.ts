/** Names that run from right to left, in sentences that run from left to right; the same as `tauscope.words.isolated`. */

const RTL =
  "\\u200f\\u202a-\\u202e\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const ANY = new RegExp(`[${RTL}]`, "u");
// a word is whatever is written without a blank but commas, brackets and signs of comparison
const MARKS = `\\-\\p{L}\\p{N}_'"’״׳%/`;
const WORD = `(?<![${MARKS}.])[${MARKS}.]*[${RTL}][${MARKS}${RTL}]*(?:\\.[\\p{L}\\p{N}_]+)*`;
const NAME = new RegExp(
  `\\u2068[^\\u2068\\u2069]*\\u2069|${WORD}(?: +(?:${WORD}|\\(${WORD}(?: +${WORD})*\\)))*`,
  "gu",
);

/** A text in which each such name keeps its order to itself: "21 < X ≤ 26" does not turn round. */
export function isolated(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(NAME, (name) => (name.startsWith("\u2068") ? name : `\u2068${name}\u2069`));
}
