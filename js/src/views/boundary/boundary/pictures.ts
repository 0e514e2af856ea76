/** The row, its flip, the rival and the direction as pictures, where features are pixels; the flip's follows the walk. */

import { html, setAttributes, setText } from "../../../marks/element";
import { followTheme, pageColor } from "../../../marks/page_colors";
import { followWidth } from "../../../marks/resize";
import { count } from "../../../theme/formats";
import type { ImageSize } from "../../../wire/boundary/boundary";
import type { Context, Part, View } from "./context";
import { lengthWords, plainWords } from "./values";

const SOLID = 255;
/** Byte of a direction that does not lean, and how far it can from there. */
const [MIDDLE, LONGEST] = [128, 127];

type Paint = (pixel: number) => readonly [number, number, number, number];

type Frame = ReturnType<typeof createFrame>;

function createFrame([height = 1, width = 1]: ImageSize, testid: string) {
  const canvas = html("canvas", { width, height, role: "img", "data-testid": testid });
  const name = html("b");
  const words = html("small");
  return {
    element: html("figure", { class: "ts-picture" }, canvas, html("figcaption", {}, name, words)),
    /** Words below it, and more for those who cannot see it. */
    caption(title: string, rest: string, more: string = "") {
      setText(name, title);
      setText(words, rest);
      setAttributes(canvas, { "aria-label": [title, rest, more].filter(Boolean).join(": ") });
    },
    paint(color: Paint) {
      const context = canvas.getContext?.("2d");
      if (!context) return;
      const picture = context.createImageData(width, height);
      for (let pixel = 0; pixel < width * height; pixel++) picture.data.set(color(pixel), 4 * pixel);
      context.putImageData(picture, 0, 0);
    },
  };
}

/** Grey, or red, green and blue; nothing where there is no value. */
function shadesPaint(shades: Uint8Array, channels: number): Paint {
  return (pixel) => {
    const at = (k: number) => shades[channels === 3 ? 3 * pixel + k : pixel] ?? 0;
    const level = (k: number) => Math.round(((at(k) - 1) * 255) / 254);
    return [level(0), level(1), level(2), at(0) === 0 ? 0 : SOLID];
  };
}

/** Blue where the direction takes away, orange where it adds. */
function leansPaint(leans: Uint8Array, host: Element): Paint {
  const color = (end: string) => pageColor(host, `--ts-map-${end}`);
  const [low, middle, high] = [color("low"), color("middle"), color("high")];
  return (pixel) => {
    const lean = ((leans[pixel] ?? MIDDLE) - MIDDLE) / LONGEST;
    const end = lean < 0 ? low : high;
    const mixed = (k: 0 | 1 | 2) => middle[k] + Math.abs(lean) * (end[k] - middle[k]);
    return [mixed(0), mixed(1), mixed(2), SOLID];
  };
}

/** Whether the person has walked to a step of this very answer's path. */
function isWalked({ state: { at }, answers, answer }: View): boolean {
  return at !== null && at.answers === answers && at.step !== null && answer.path !== null;
}

export function createPictures({ message, signal }: Context): Part {
  const size = message.image;
  const element = html("section", { class: "ts-pictures", "aria-label": "Pictures", hidden: true });
  if (!size) return { element, update() {} };
  const channels = size[2] ?? 1;
  const [row, point, rival, direction] = ["row", "point", "rival", "direction"].map((name) =>
    createFrame(size, `picture-${name}`),
  ) as [Frame, Frame, Frame, Frame];
  const ends = ["darker", "brighter"].map((words) => html("span", {}, words));
  const ramp = html(
    "div",
    { class: "ts-picture-ramp" },
    html("div", { class: "ts-ramp", "aria-hidden": "true" }),
    html("div", { class: "ts-ramp-ends ts-quiet" }, ...ends),
  );
  direction.element.append(ramp);
  const frames = html("div", { class: "ts-picture-row" }, row, point, rival, direction);
  const range = html("p", { class: "ts-quiet ts-gloss" });
  element.append(frames, range);

  let view: View | null = null;
  let coloured = false;
  const paintDirection = () => {
    const leans = view?.answer.pictures?.direction;
    coloured = element.isConnected;
    if (leans) direction.paint(leansPaint(leans, element));
  };
  followTheme(signal, paintDirection);
  // a host may put the view into the page after it has drawn; only there it has colours
  followWidth(element, signal, () => coloured || paintDirection());

  const drawAnswer = ({ answer }: View) => {
    const { pictures, labels, rival_row } = answer;
    if (!pictures) return;
    row.caption(answer.row < 0 ? "row given" : `row ${count(answer.row)}`, labels.start);
    rival.caption(rival_row === null ? "rival" : `rival, row ${count(rival_row)}`, labels.rival);
    direction.caption("direction across", "", "blue darker, orange brighter");
    const { low, high } = pictures;
    const added = channels === 3 ? "; the direction is added up over the channels" : "";
    setText(range, `Black is ${plainWords(low)}, white ${plainWords(high)}${added}.`);
    row.paint(shadesPaint(pictures.row, channels));
    rival.paint(shadesPaint(pictures.rival, channels));
    rival.element.hidden = rival_row === null;
    direction.element.hidden = pictures.direction.every((lean) => lean === MIDDLE);
    paintDirection();
  };
  const drawPoint = (now: View) => {
    const { answer, step } = now;
    const { pictures, path, labels, found } = answer;
    if (!pictures) return;
    const walked = isWalked(now) ? pictures.at(step) : null;
    point.element.hidden = !found && walked === null;
    point.paint(shadesPaint(walked ?? pictures.point, channels));
    if (!walked || !path) return point.caption("nearest flip", labels.point);
    const decided = path.labels[path.label[step] as number] ?? "";
    point.caption("on the way", `${lengthWords(answer, path.length[step] as number)}, ${decided}`);
  };
  return {
    element,
    update(now) {
      const before = view;
      view = now;
      element.hidden = now.answer.pictures === null;
      element.classList.toggle("ts-is-stale", now.stale);
      if (before?.answer !== now.answer) drawAnswer(now);
      if (before?.answer !== now.answer || before.step !== now.step || before.state.at !== now.state.at)
        drawPoint(now);
    },
  };
}
