/** Lines and labels of a picture, to a tenth of a pixel. */

import { sizes } from "../theme/theme";
import { svg } from "./element";
import { fitText } from "./text_width";

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

/** The same within `room` pixels, cut in its middle; whole for those who point at it. */
export function fittedLabel(
  className: string,
  x: number,
  y: number,
  words: string,
  anchor: string,
  room: number,
): SVGTextElement {
  const fitting = fitText(words, sizes.text, room);
  const element = label(className, x, y, fitting, anchor);
  if (fitting !== words) element.append(svg("title", {}, words));
  return element;
}
