/** The share of a level before and after, as two bars on a common scale from 0 to 100 %. */

import { html, setText } from "./element";

function bar(word: string, className: string) {
  const fill = html("span", { class: `ts-bar ${className}` });
  const value = html("span", { class: "ts-number" });
  const row = html("div", { class: "ts-share" }, html("span", { class: "ts-quiet" }, word));
  row.append(html("span", { class: "ts-bar-track" }, fill), value);
  return {
    row,
    set(share: number, text: string) {
      fill.style.width = `${Math.min(100, Math.max(0, 100 * share)).toFixed(2)}%`;
      setText(value, text);
    },
  };
}

export function createShareBars() {
  const before = bar("before", "ts-bar-before");
  const after = bar("after", "ts-bar-after");
  return {
    element: html("div", { class: "ts-shares" }, before.row, after.row),
    show: before.set,
    mark: after.set,
  };
}
