/** The model's answer along the path: where it flips first, what comes after, and the step the person is at. */

import { type Axis, axis, axisTicks, finiteExtent, niceDomain } from "../../../marks/axis";
import { label, line } from "../../../marks/axis_marks";
import { html, listen, setAttributes, svg } from "../../../marks/element";
import { linePath } from "../../../marks/path";
import { followWidth } from "../../../marks/resize";
import { textWidth } from "../../../marks/text_width";
import { sizes } from "../../../theme/theme";
import type { Answer, Path } from "../../../wire/boundary/boundary";
import { firstStep } from "./state";
import { lengthWords } from "./values";

const { height, left, right, top, bottom, fallbackWidth } = sizes.path;

interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

function axesOf({ length, answer }: Path, { response_kind: kind, threshold }: Answer, width: number): Axes {
  const values = answer.map((value) => value ?? Number.NaN);
  const seen = finiteExtent([values, threshold === null ? [] : [threshold]]);
  const domain = kind === "share" ? ([0, 1] as const) : niceDomain(seen, kind, 4);
  return {
    x: axis([0, length.at(-1) as number], [left, width - right]),
    y: axis(domain, [height - bottom, top]),
  };
}

/** Stretches of lengths that are decided otherwise, from the middle of the step before each. */
export function flippedStretches({ length, flipped }: Pick<Path, "length" | "flipped">) {
  const stretches: [number, number][] = [];
  const end = length.at(-1) as number;
  flipped.forEach((now, k) => {
    const before = k > 0 ? flipped[k - 1] : 0;
    const middle = k > 0 ? ((length[k - 1] as number) + (length[k] as number)) / 2 : 0;
    const open = stretches.at(-1);
    if (now && !before) stretches.push([middle, end]);
    else if (!now && before && open) open[1] = middle;
  });
  return stretches;
}

function grid({ x, y }: Axes, answer: Answer, width: number): SVGElement[] {
  const [floor, end] = [height - bottom, width - right];
  const drawn: SVGElement[] = [];
  for (const { at, label: words } of axisTicks(y, 4, answer.response_kind)) {
    drawn.push(line("ts-grid", left, at, end, at), label("ts-tick", left - 6, at, words, "end"));
  }
  for (const { at, label: words } of axisTicks(x, Math.max(2, Math.floor(width / 90)), "value")) {
    const half = textWidth(words, sizes.text) / 2;
    drawn.push(label("ts-tick", Math.min(at, width - half), floor + 15, words, "middle"));
  }
  const title = answer.unit ? `distance walked, ${answer.unit}` : "distance walked";
  drawn.push(svg("text", { x: (left + end) / 2, y: height - 4, "text-anchor": "middle" }, title));
  return drawn;
}

function crossingMark({ x }: Axes, answer: Answer, path: Path, width: number): SVGElement[] {
  if (path.crossing === null) return [];
  const at = x.at(path.crossing);
  const words = `flips at ${lengthWords(answer, path.crossing)}`;
  const room = textWidth(words, sizes.text) / 2;
  const middle = Math.min(width - room - 2, Math.max(left + room, at));
  return [
    line("ts-guide", at, top - 4, at, height - bottom),
    label("ts-note", middle, top - 12, words, "middle"),
  ];
}

export function createPicture(choose: (step: number, event: Event) => void, signal: AbortSignal) {
  const back = svg("g");
  const curve = svg("path", { class: "ts-chosen" });
  const cursor = svg("line", { class: "ts-cursor", y1: top, y2: height - bottom });
  const dot = svg("circle", { class: "ts-dot", r: 5 });
  const picture = svg("svg", { class: "ts-path-picture", role: "img", "data-testid": "path" });
  picture.append(back, curve, cursor, dot);
  const element = html("div", { class: "ts-plane" });
  element.append(picture);
  element.style.height = `${height}px`;
  let width: number = fallbackWidth;
  let shown: { answer: Answer; path: Path; axes: Axes } | null = null;
  let step = 0;

  const mark = (next: number) => {
    step = next;
    if (!shown) return;
    const { path, axes } = shown;
    const x = axes.x.at(path.length[step] ?? Number.NaN);
    const y = axes.y.at(path.answer[step] ?? Number.NaN);
    setAttributes(cursor, { x1: x, x2: x });
    dot.setAttribute("visibility", Number.isFinite(y) ? "visible" : "hidden");
    if (Number.isFinite(y)) setAttributes(dot, { cx: x, cy: y });
  };

  const draw = () => {
    if (!shown) return;
    const { answer, path } = shown;
    const axes = axesOf(path, answer, width);
    shown = { answer, path, axes };
    const { x, y } = axes;
    setAttributes(picture, { width, height, viewBox: `0 0 ${width} ${height}` });
    const flipped = flippedStretches(path).map(([from, to]) =>
      svg("rect", {
        class: "ts-flipped",
        x: x.at(from),
        y: top,
        width: Math.max(1, x.at(to) - x.at(from)),
        height: height - bottom - top,
      }),
    );
    const { threshold } = answer;
    const level = threshold === null ? [] : [y.at(threshold)];
    back.replaceChildren(
      ...flipped,
      ...grid(axes, answer, width),
      ...level.map((at) => line("ts-guide", left, at, width - right, at)),
      ...crossingMark(axes, answer, path, width),
    );
    curve.setAttribute(
      "d",
      linePath(
        path.length.keys(),
        (k) => x.at(path.length[k] as number),
        (k) => y.at(path.answer[k] ?? Number.NaN),
      ),
    );
    mark(step);
  };

  const point = (event: PointerEvent) => {
    if (!shown) return;
    const { path, axes } = shown;
    const walked = axes.x.value(event.clientX - picture.getBoundingClientRect().left);
    const nearest = path.length.reduce(
      (best, length, k) =>
        Math.abs(length - walked) < Math.abs((path.length[best] as number) - walked) ? k : best,
      0,
    );
    if (nearest !== step) choose(nearest, event);
  };
  listen(picture, "pointerdown", signal, (event) => {
    picture.setPointerCapture(event.pointerId);
    point(event);
  });
  listen(picture, "pointermove", signal, (event) => event.buttons === 1 && point(event));
  followWidth(element, signal, (next) => {
    if (next === width) return;
    width = next;
    draw();
  });

  return {
    element,
    show(answer: Answer, summary: string) {
      const { path } = answer;
      if (!path) return;
      shown = { answer, path, axes: axesOf(path, answer, width) };
      step = firstStep(answer);
      picture.setAttribute("aria-label", summary);
      draw();
    },
    mark,
  };
}
