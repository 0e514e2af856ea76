/** Lines and labels of a picture, to a tenth of a pixel. */

import { svg } from "./element";

export const tenth = (value: number) => Math.round(10 * value) / 10;

export function line(className: string, x1: number, y1: number, x2: number, y2: number): SVGLineElement {
  return svg("line", { class: className, x1: tenth(x1), y1: tenth(y1), x2: tenth(x2), y2: tenth(y2) });
}

/** Words whose middle is as high as `y`. */
export function label(
  className: string,
  x: number,
  y: number,
  words: string,
  anchor: string,
): SVGTextElement {
  const place = { x: tenth(x), y: tenth(y), "text-anchor": anchor, dy: "0.32em" };
  return svg("text", { class: className, ...place }, words);
}
