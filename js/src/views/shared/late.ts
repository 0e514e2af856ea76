/** What is shown while it is not yet what was chosen: why, and of which row it still is. */

import { html, showText } from "../../marks/element";
import { count } from "../../theme/formats";

/** "row 1,234"; of values that are no row's, that they were given. */
export const rowWords = (row: number) => (row < 0 ? "the values given" : `row ${count(row)}`);

export interface Work {
  readonly doing: string;
  readonly error: string;
}

/**
 * Why what is shown is not what was chosen: it is on its way, it failed, or it cannot be had.
 *
 * @param none what there is none of: "There is no boundary"
 * @param far how far the work is: ", 1,200 model rows so far"
 */
export function lateWords(
  { live, offline }: { readonly live: boolean; readonly offline: string },
  wanted: string,
  work: Work | null | undefined,
  none: string,
  far = "",
): string {
  if (work?.error) return `${none} for ${wanted}: ${work.error}`;
  if (work?.doing) return `${work.doing}${far}…`;
  return live ? `The kernel is asked for ${wanted}…` : `Not ${wanted}. ${offline}`;
}

export function createLate() {
  const late = html("p", { role: "status", "data-testid": "late" });
  const grey = html("p", { class: "ts-quiet", "data-testid": "grey" });
  return {
    elements: [late, grey],
    /** @param words "" where what is shown was chosen */
    update(words: string, row: number, failed: boolean) {
      showText(late, words);
      late.classList.toggle("ts-failed", failed);
      showText(grey, words && `Grey is still ${rowWords(row)}.`);
    },
  };
}
