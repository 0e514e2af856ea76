// @vitest-environment jsdom
import { expect, test } from "vitest";
import { curveScene } from "../../src/marks/curve_scene";
import { clearCursor, drawFront } from "../../src/marks/plane_layers";
import { textWidth } from "../../src/marks/text_width";

const taus = [-1, -0.5, 0, 0.5, 1];
const y = [0.1, 0.2, 0.3, 0.4, 0.5];
const levels = [2, 2, 0, 1, 1];
const series = [{ name: "age", x: taus, y, lower: y, upper: y, levels }];
const scene = (width: number) => curveScene(series, { width, taus, zero: 2, kind: "share", yTitle: "" });
const place = (element: Element) => Number(element.getAttribute("x"));
const half = (element: Element, size: number) => textWidth(element.textContent ?? "", size) / 2;

test.each([320, 640, 1200])("no remark lies over the cursor, wherever it is, at %i px", (width) => {
  const drawn = scene(width);
  const { remarks } = drawFront(drawn, 0, { title: "", words: [] });
  expect(remarks.length).toBeGreaterThan(0);
  const { left, right } = drawn.frame;
  const rest = remarks.map(({ element }) => place(element));
  for (let cursor = left; cursor <= right; cursor += 7) {
    clearCursor(drawn, remarks, cursor);
    for (const { element } of remarks)
      expect(Math.abs(place(element) - cursor)).toBeGreaterThan(half(element, 11));
  }
  clearCursor(drawn, remarks, (left + right) / 2);
  expect(remarks.map(({ element }) => place(element))).toEqual(rest);
});

test.each(["21.0", "12,345,678", "2014-01-25"])(
  "what the numbers are stands apart from the first, %s",
  (first) => {
    const { elements } = drawFront(scene(640), 0, { title: "share", words: [first, "b", "c", "d", "e"] });
    const [title, number] = elements.filter((element) => element.classList.contains("ts-note"));
    const end = place(title as Element);
    expect(end).toBeGreaterThan(textWidth("share", 12) - 0.1);
    expect(place(number as Element) - half(number as Element, 12) - end).toBeGreaterThan(4);
  },
);
