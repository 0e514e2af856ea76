/** The words of a text and their weights. */

import { type Infer, list, nullable, number, object, text } from "../schema";

const pieceMessage = object({
  text,
  /** In [-1, 1], of a word: above 0 more of it leads across the boundary; null for what is no feature. */
  weight: nullable(number),
});
export type Piece = Infer<typeof pieceMessage>;

export const wordsMessage = object({
  /** Together the text. */
  pieces: list(pieceMessage),
  /** The heaviest of the words that are not there and would lead across. */
  across: list(pieceMessage),
  /** Those that would hold back. */
  back: list(pieceMessage),
  /** Others that are not there and have a weight. */
  n_more: number,
});
export type Words = Infer<typeof wordsMessage>;
