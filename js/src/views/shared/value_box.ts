/** A value to read and to type: committed on Enter and when it is left, put back on Escape. */

import { html, listen, setAttributes, showText } from "../../marks/element";
import { textWidth } from "../../marks/text_width";
import type { Formatter } from "../../theme/formats";

const TEXT = 13;
const PADDING = 14;

/** Widths of "before → now" and of the box for now, so that nothing shifts when the slider moves. */
export function valueWidths(
  { low, mean, high }: { readonly low: number; readonly mean: number; readonly high: number },
  write: Formatter,
): [both: number, box: number] {
  const box = Math.max(...[low, mean, high].map((value) => textWidth(write(value), TEXT))) + PADDING;
  return [textWidth(`${write(mean)} → `, TEXT) + box, box];
}

let count = 0;

/**
 * @param label what the value is, such as "mean of age"
 * @param commit sets what was typed; returns why it cannot be, or what was set instead, or ""
 */
export function createValueBox(
  { label, hint, width }: { readonly label: string; readonly hint: string; readonly width: number },
  signal: AbortSignal,
  commit: (text: string, event: Event) => string,
) {
  const id = `ts-problem-${++count}`;
  const problem = html("p", { class: "ts-problem", id, "aria-live": "assertive", hidden: true });
  const box = html("input", {
    type: "text",
    class: "ts-value-box",
    "aria-label": label,
    "aria-describedby": id,
    title: hint,
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "typed",
  });
  box.style.width = `${Math.ceil(width)}px`;
  let shown = "";
  let typing = false;
  const complain = (words: string, wrong = false) => {
    showText(problem, words);
    problem.classList.toggle("ts-quiet", !wrong);
    setAttributes(box, { "aria-invalid": wrong && "true" });
  };
  const restore = () => {
    typing = false;
    box.value = shown;
    complain("");
  };
  const end = (event: Event) => {
    if (!typing) return;
    if (box.value === shown) return restore();
    typing = false;
    const before = shown;
    const words = commit(box.value, event);
    if (!words) return restore();
    typing = shown === before;
    complain(words, typing);
  };
  listen(box, "input", signal, () => {
    typing = true;
    complain("");
  });
  listen(box, "focus", signal, () => box.select());
  listen(box, "change", signal, end);
  listen(box, "keydown", signal, (event) => {
    if (event.key === "Enter") end(event);
    else if (event.key === "Escape") restore();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    element: box,
    /** Why what was typed cannot be; hidden while there is no reason. */
    problem,
    /** Show a value, unless another is being typed. */
    show(text: string) {
      if (text === shown) return;
      shown = text;
      restore();
    },
  };
}
