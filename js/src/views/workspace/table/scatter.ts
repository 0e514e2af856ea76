/** The rows listed as points of two columns, to look at one and to select those within a rectangle. */

import { html, listen, setText, showText } from "../../../marks/element";
import { followTheme } from "../../../marks/page_colors";
import { createPicker } from "../../../marks/picker";
import { followWidth } from "../../../marks/resize";
import { count } from "../../../theme/formats";
import { sameStress } from "../../../wire/shared_stress";
import type { Sampled, TableData } from "../../../wire/workspace/table";
import { listenToKeys } from "../../shared/keys";
import { alike } from "../../shared/loop";
import { remember } from "../../shared/memoize";
import { oncePerFrame } from "../../shared/once_per_frame";
import { rowsOf } from "../../shared/words";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { createPainter, type Frame, frameOf, setFont } from "./scatter_canvas";
import { type Colors, type Look, looksOf, readColors } from "./scatter_marks";
import {
  nearestRow,
  type Rectangle,
  rectangleOf,
  rowsWithin,
  type Side,
  sideOf,
  sidesOffered,
  stepped,
  usualSides,
} from "./scatter_points";
import { createDrawable, type Drawable, sameRows } from "./scatter_rows";

const HEIGHT = 400;
/** Where the page has no layout. */
const FALLBACK_WIDTH = 480;
/** A pointer that moved less has clicked. */
const CLICK = 4;
const NEAR = 14;
const STEP = 0.025;
const WAITING = "The kernel draws a sample of these rows…";
const KEYS =
  "Drag a rectangle to select the rows in it, with Shift to add them; click a point to look at its row. By keys: " +
  "arrows move a rectangle, with Shift they change its size, Space keeps what is selected and adds to it, Enter looks " +
  "at the row nearest to its middle, Escape clears.";
const GLYPHS = { circle: "●", ring: "○", cross: "✕", triangle: "▲" } as const;

/** How many of the rows listed are points, and among which a rectangle selects. */
function drawnWords({ drawn, nListed, seed }: Drawable): string {
  if (drawn.length === nListed) return "";
  const some = `${count(drawn.length)} of ${rowsOf(nListed)}`;
  if (seed === null) return `${some} are drawn, a random sample (seed 0); a rectangle selects among all.`;
  return `${some}, drawn at random, seed ${seed}; a rectangle selects among those drawn.`;
}

export interface Scatter extends Part {
  /** The rectangle in words; "" without one. */
  spoken(): string;
}

export function createScatter({ data, intend, signal }: Context): Scatter {
  const canvas = html("canvas", { "aria-hidden": "true" });
  const plot = html(
    "div",
    {
      class: "ts-scatter",
      tabindex: 0,
      role: "application",
      "aria-label": "Scatter of the rows listed",
      "aria-roledescription": "scatter",
      "data-testid": "scatter",
    },
    canvas,
  );
  const said = html("p", { class: "ts-quiet", "data-testid": "scatter-said" });
  const within = html("p", { "data-testid": "scatter-rectangle" });
  const offered = sidesOffered(data);
  const picker = (words: string, trait: "x" | "y") => {
    const select = createPicker(
      { "data-testid": `scatter-${trait}` },
      offered.map(({ name, label }) => [name, label] as const),
      signal,
      (name, event) => intend({ [trait]: name }, event),
    );
    return { select, element: html("label", {}, html("span", { class: "ts-quiet" }, words), select) };
  };
  const [acrossPicker, upPicker] = [picker("across", "x"), picker("up", "y")];
  const legend = html("span", {
    class: "ts-scatter-legend ts-quiet",
    "data-testid": "scatter-legend",
  });
  const showLegend = remember((looks: readonly Look[]) => {
    const entries = looks.map(({ words, shape, tone }) => {
      const color = `color-mix(in srgb, var(--ts-map-high) ${Math.round(100 * tone)}%, var(--ts-map-low))`;
      const glyph = html("b", { style: `color: ${color}`, "aria-hidden": "true" }, GLYPHS[shape]);
      return html("span", {}, glyph, ` ${words}`);
    });
    legend.replaceChildren(...entries, html("span", {}, "the heavier, the larger"));
  });

  const sides = remember(
    (of: TableData, x: string, y: string, after: Float32Array | null): readonly [Side, Side] => [
      sideOf(of, x, x === data.message.after_name ? after : null, 0),
      sideOf(of, y, y === data.message.after_name ? after : null, 1),
    ],
  );
  const looksFor = remember(looksOf);
  const without = remember((places: Uint32Array, pair: readonly [Side, Side]) => {
    let n = 0;
    for (const place of places) {
      if (Number.isNaN(pair[0].at[place] as number) || Number.isNaN(pair[1].at[place] as number)) n++;
    }
    return n;
  });
  const drawableOf = createDrawable(data);
  const paint = createPainter(canvas);
  let view: DerivedView | null = null;
  let sample: Sampled | null = null;
  let shown: Drawable | null = null;
  let pair: readonly [Side, Side] | null = null;
  let rectangle: Rectangle | null = null;
  /** What is selected besides the rectangle, what the last rectangle made of it, and the rows it selects among. */
  let base: readonly number[] = [];
  let made: readonly number[] | null = null;
  let among: Uint32Array | null = null;
  let colors: Colors | null = null;
  let frame: Frame = { left: 0, top: 0, width: FALLBACK_WIDTH, height: HEIGHT };
  let asked = 0;

  const width = () => plot.clientWidth || FALLBACK_WIDTH;
  const weight = (place: number) => shown?.after?.[place] ?? shown?.data.before?.[place] ?? 1;
  const draw = () => {
    cancelAnimationFrame(asked);
    asked = 0;
    if (!view || !pair || !shown || plot.closest("[hidden]")) return;
    colors ??= readColors(plot);
    const pen = canvas.getContext("2d");
    if (pen) setFont(pen, canvas);
    const size = [width(), plot.clientHeight || HEIGHT] as const;
    frame = frameOf(pen, pair, ...size);
    const { looks, of: lookOf } = looksFor(shown.data);
    const { drawn, chosen } = shown;
    const row = shown.placeOf(view.state.row);
    const picture = { sides: pair, drawn, looks, lookOf, chosen, row, weight, rectangle };
    paint(picture, frame, size, colors);
  };
  const drawSoon = () => {
    if (asked === 0) asked = requestAnimationFrame(draw);
  };
  signal.addEventListener("abort", () => cancelAnimationFrame(asked), { once: true });
  followWidth(plot, signal, drawSoon);
  const recolor = () => {
    colors = null;
    drawSoon();
  };
  followTheme(signal, recolor);

  const forget = () => {
    rectangle = null;
    among = made = null;
  };
  /** A rectangle selects among the rows it was begun on, also where what it selects alone is listed. */
  const adopt = (next: Sampled | null) => {
    if (!next) return;
    const same = sample !== null && sameRows(sample, next);
    if (!same && rectangle && sample && sameStress(sample.stress, next.stress)) return;
    if (!same) forget();
    sample = next;
  };
  const select = (next: Rectangle, event: Event) => {
    const from = shown;
    if (!from || !pair) return;
    among ??= from.among;
    rectangle = next;
    const found = rowsWithin(among, pair, next).map(from.rowAt);
    made = base.length > 0 ? [...new Set([...base, ...found])].sort((a, b) => a - b) : found;
    intend({ selection: made }, event);
  };
  const rectangleWords = () =>
    rectangle && pair ? `${pair[0].between(...rectangle.x)}, ${pair[1].between(...rectangle.y)}` : "";

  const shares = (event: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - frame.left) / frame.width;
    return [x, 1 - (event.clientY - box.top - frame.top) / frame.height];
  };
  let from: { readonly at: [number, number]; readonly x: number; readonly y: number; moved: boolean } | null =
    null;
  let latest: PointerEvent | null = null;
  const follow = () => {
    if (from?.moved && latest) select(rectangleOf(from.at, shares(latest)), latest);
  };
  const followSoon = oncePerFrame(signal, follow);
  const look = (at: readonly [number, number], near: number, event: Event) => {
    if (!pair || !shown) return;
    const place = nearestRow(shown.drawn, pair, at, [frame.width, frame.height], near);
    if (place >= 0) intend({ row: shown.rowAt(place) }, event);
  };
  listen(plot, "pointerdown", signal, (event) => {
    if (event.button !== 0) return;
    from = { at: shares(event), x: event.clientX, y: event.clientY, moved: false };
    base = event.shiftKey ? (view?.state.selection ?? []) : [];
    if (event.pointerType !== "touch") plot.setPointerCapture?.(event.pointerId);
  });
  listen(plot, "pointermove", signal, (event) => {
    if (!from || event.pointerType === "touch") return; // a finger scrolls the page
    if (!from.moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < CLICK) return;
    if (!from.moved) forget();
    from.moved = true;
    latest = event;
    followSoon();
  });
  listen(plot, "pointerup", signal, (event) => {
    if (!from) return;
    if (from.moved) {
      latest = event;
      follow();
    } else look(from.at, NEAR, event);
    from = null;
  });
  listen(plot, "pointercancel", signal, () => (from = null));
  listenToKeys(plot, signal, (event) => {
    if (!view) return false;
    const next = stepped(rectangle, event.key, event.shiftKey, STEP);
    if (next) {
      select(next, event);
    } else if (event.key === " ") {
      base = view.state.selection;
      forget();
      drawSoon();
      setText(within, base.length > 0 ? `${rowsOf(base.length)} kept; the next rectangle adds to them.` : "");
    } else if (event.key === "Enter" && rectangle) {
      const middle = ([low, high]: readonly [number, number]) => (low + high) / 2;
      look([middle(rectangle.x), middle(rectangle.y)], Infinity, event);
    } else if (event.key === "Escape" && (rectangle || view.state.selection.length > 0)) {
      base = [];
      forget();
      intend({ selection: [] }, event);
    } else return false;
    return true;
  });

  const waiting = html("p", { class: "ts-quiet", role: "status", "data-testid": "scatter-waiting" }, WAITING);
  const parts = [
    html("div", { class: "ts-look-for" }, acrossPicker, upPicker, legend),
    plot,
    within,
    said,
    html("p", { class: "ts-quiet ts-gloss" }, KEYS),
  ];
  const element = html("div", { class: "ts-scatter-part" }, waiting, ...parts);
  return {
    element,
    spoken: () => (rectangle ? `Rectangle: ${rectangleWords()}` : ""),
    update(next, before) {
      view = next;
      const { state, stress } = next;
      if (state.display !== "scatter") return;
      const was = before?.state;
      const other =
        was && (["search", "filter", "x", "y", "feature"] as const).some((name) => was[name] !== state[name]);
      if (other || (rectangle && made && state.selection !== made && !alike(state.selection, made))) {
        base = [];
        forget();
      }
      adopt(next.sample);
      shown = drawableOf(next, sample);
      waiting.hidden = shown !== null;
      for (const part of parts) part.hidden = shown === null;
      if (!shown) return;
      const usual = usualSides(data, state.feature);
      const named = (name: string, instead: string) =>
        offered.some((one) => one.name === name) ? name : instead;
      const [x, y] = [named(state.x, usual[0]), named(state.y, usual[1])];
      pair = sides(shown.data, x, y, shown.after);
      acrossPicker.select.value = x;
      upPicker.select.value = y;
      showLegend(looksFor(shown.data).looks);
      const missing = without(shown.among, pair);
      const sentences = [
        drawnWords(shown),
        missing > 0
          ? `${rowsOf(missing)} without a value of these two ${missing === 1 ? "has" : "have"} no place here.`
          : "",
      ];
      showText(said, sentences.filter(Boolean).join(" "));
      setText(
        within,
        rectangle
          ? `Within ${rectangleWords()}: ${rowsOf(rowsWithin(among ?? shown.among, pair, rectangle).length)}`
          : "",
      );
      plot.setAttribute(
        "aria-label",
        `Scatter of ${rowsOf(shown.nListed)}: ${pair[0].label} across, ${pair[1].label} up. Arrow keys select by a rectangle.`,
      );
      plot.classList.toggle("ts-is-stale", stress.late || next.sampleStale);
      // weights on their way change nothing yet: within the frame they may be there
      const waits =
        stress.late &&
        before?.chosen === next.chosen &&
        was?.row === state.row &&
        was.display === state.display;
      if (waits) return;
      if (plot.isConnected) draw();
      else drawSoon(); // the page has no colours for what is not in it
    },
  };
}
