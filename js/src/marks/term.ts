/**
 * A word that is explained by a click or by Enter, in a box of the browser's own: Escape or a click elsewhere
 * closes it, and the focus is back on the word. The box is empty while it is closed.
 */

import { html, listen, setText } from "./element";

const WIDTH = 260;
const AWAY = 8;
const LINES = 120;

/** Beside the word, within the window. */
function place(note: HTMLElement, word: HTMLElement): void {
  const { left, top, bottom } = word.getBoundingClientRect();
  const x = Math.max(AWAY, Math.min(left, innerWidth - WIDTH - AWAY));
  const above = bottom + LINES > innerHeight && top > LINES;
  const y = above ? `bottom:${innerHeight - top + 4}px` : `top:${bottom + 4}px`;
  note.style.cssText = `left:${x}px;${y}`;
}

/** @param words a sentence of what it means */
export function createTerm(label: string, words: string, signal: AbortSignal): HTMLElement {
  const note = html("span", {
    class: "ts-explained",
    popover: "auto",
    tabindex: -1,
    autofocus: true,
  });
  const word = html("button", { type: "button", class: "ts-term" }, label);
  word.popoverTargetElement = note;
  listen(note, "beforetoggle", signal, (event) => {
    const opens = (event as ToggleEvent).newState === "open";
    setText(note, opens ? words : "");
    if (opens) place(note, word);
  });
  return html("span", {}, word, note);
}
