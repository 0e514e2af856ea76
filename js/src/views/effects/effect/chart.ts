/** The picture of the effect, whatever its feature is, and what is read off it. */

import { createDataTable } from "../../../marks/data_table";
import { html, OWN_KEYS, setAttributes, setText, svg } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import { sizes } from "../../../theme/theme";
import { levelOf } from "../../../wire/reasons";
import { judgeWeights } from "../../shared/reliability";
import { type Context, effectFormat, type Part, type View } from "./context";
import { createCurvePlane } from "./curve_plane";
import type { DerivedView } from "./derive_view";
import { createHeatPlane } from "./heat_plane";
import { createLevelPlane } from "./level_plane";
import type { Plane } from "./plane";
import { chartWords, pointWords } from "./reading";
import { tableOf } from "./table";

const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

function planeFor({ axes }: DerivedView["part"]): Plane {
  if (axes.length === 2) return createHeatPlane();
  return axes[0]?.kind === "levels" ? createLevelPlane() : createCurvePlane();
}

export function createChart({ message, intend, signal }: Context): Part {
  const picture = svg("svg", {
    class: "ts-front ts-effect-picture",
    role: "img",
    tabindex: 0,
    "data-testid": "chart",
    ...OWN_KEYS,
  });
  const tooltip = svg("title", { "data-testid": "tooltip" });
  const holder = html("div", { class: "ts-plane" }, picture);
  const reading = html("p", { class: "ts-reading", "data-testid": "reading" });
  let view: View | null = null;
  let plane: Plane | null = null;
  let drawnFor: unknown = null;
  let width = 0;
  const table = createDataTable(
    "The numbers as a table",
    () => (view ? tableOf(message, view) : { caption: "", columns: [], rows: [] }),
    signal,
  );
  const element = html("div", { class: "ts-chart" }, reading, holder, table.element);

  const draw = (now: View) => {
    const { shown } = now;
    if (!plane || drawnFor !== shown.part) {
      plane = planeFor(shown.part);
      drawnFor = shown.part;
      picture.replaceChildren(tooltip, plane.element);
    }
    const kind = message.response_kind;
    plane.draw({
      shown,
      width,
      kind,
      response: message.responses[shown.output] ?? message.response,
      format: effectFormat(message, shown),
      paper: now.state.paper,
    });
    plane.mark(shown, now.state.point);
    const height = plane.height();
    setAttributes(picture, {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "aria-label": chartWords(message, now),
    });
    holder.style.height = `${height}px`;
    const words = pointWords(message, now);
    setText(reading, words);
    setText(tooltip, now.state.point === null ? "" : words);
    table.refresh();
  };
  followWidth(
    holder,
    (measured) => {
      if (measured === width) return;
      width = measured;
      if (view) draw(view);
    },
    signal,
  );
  const listen = <K extends keyof SVGElementEventMap>(type: K, act: (event: SVGElementEventMap[K]) => void) =>
    picture.addEventListener(type, act as EventListener, { signal });
  listen("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const scale = box.width > 0 ? width / box.width : 1;
    const point = plane?.placeAt((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    if (point !== undefined && point !== view?.state.point) intend({ point }, event);
  });
  listen("pointerleave", (event) => intend({ point: null }, event));
  listen("blur", (event) => intend({ point: null }, event));
  listen("keydown", (event) => {
    const order = plane?.order() ?? [];
    if (event.ctrlKey || event.altKey || event.metaKey || order.length === 0) return;
    const at = view?.state.point === null ? -1 : order.indexOf(view?.state.point ?? -1);
    const step = STEPS[event.key];
    const ends: Record<string, number> = { Home: 0, End: order.length - 1 };
    const next = step === undefined ? ends[event.key] : Math.min(order.length - 1, Math.max(0, at + step));
    if (event.key === "Escape") intend({ point: null }, event);
    else if (next === undefined) return;
    else intend({ point: order[next] ?? null }, event);
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    update(now) {
      view = now;
      if (width === 0) width = holder.clientWidth || sizes.chart.fallbackWidth;
      const { df, paretoK, carriers } = now.shown.population;
      const { reason } = judgeWeights(message.reliability, df, paretoK, carriers);
      const level = now.shown.moved === null ? 0 : levelOf(message.reliability, reason);
      element.classList.toggle("ts-unreliable", level === 2);
      element.classList.toggle("ts-is-stale", !now.shown.chosen || now.shown.stale || now.shown.groupsLate);
      draw(now);
    },
  };
}
