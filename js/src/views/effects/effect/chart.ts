/** The picture of the effect, whatever its feature is, and what is read off it. */

import { createDataTable } from "../../../marks/data_table";
import { html, listen, setAttributes, setText, svg } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import { sizes } from "../../../theme/theme";
import { levelOf } from "../../../wire/reasons";
import { listenToKeys } from "../../shared/keys";
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
  const leave = (event: Event) => intend({ point: null }, event);
  const follow = (event: PointerEvent) => {
    const box = picture.getBoundingClientRect();
    const scale = box.width > 0 ? width / box.width : 1;
    const point = plane?.placeAt((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    if (point !== undefined && point !== view?.state.point) intend({ point }, event);
  };
  listen(picture, "pointermove", follow, signal);
  listen(picture, "pointerleave", leave, signal);
  listen(picture, "blur", leave, signal);
  const press = (event: KeyboardEvent) => {
    const order = plane?.order() ?? [];
    if (order.length === 0) return false;
    const at = view?.state.point === null ? -1 : order.indexOf(view?.state.point ?? -1);
    const step = STEPS[event.key];
    const ends: Record<string, number> = { Home: 0, End: order.length - 1 };
    const next = step === undefined ? ends[event.key] : Math.min(order.length - 1, Math.max(0, at + step));
    const taken = event.key === "Escape" || next !== undefined;
    if (taken) intend({ point: order[next ?? -1] ?? null }, event);
    return taken;
  };
  listenToKeys(picture, press, signal);

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
