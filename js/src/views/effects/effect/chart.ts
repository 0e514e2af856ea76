/** The picture of the effect, whatever its feature is, and what is read off it. */

import { createDataTable, type TableContent } from "../../../marks/data_table";
import { html, listen, setAttributes, setText, svg } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import { sizes } from "../../../theme/theme";
import type { EffectMessage } from "../../../wire/effects/effect";
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
import { shareWords } from "./words";

const MOST_ROWS = 60;

/** The numbers behind the picture. */
function tableOf(message: EffectMessage, { shown }: View): TableContent {
  const { part, known, moved, bounds, distance } = shown;
  const { bare } = effectFormat(message, shown);
  const across = part.axes[1]?.points.length ?? 1;
  const columns: (readonly [string, ArrayLike<number>])[] = [
    ["effect", known.value],
    ["lower", known.lower],
    ["upper", known.upper],
  ];
  if (moved) {
    const { curve } = moved;
    columns.push(["under the stress", curve.value], ["its lower", curve.lower], ["its upper", curve.upper]);
  }
  if (bounds) {
    columns.push(["certified lower", bounds.certified.lower], ["certified upper", bounds.certified.upper]);
    if (bounds.paper)
      columns.push(["paper's lower", bounds.paper.lower], ["paper's upper", bounds.paper.upper]);
  }
  const { groups } = shown;
  groups?.curves(shown.output).forEach(({ value, lower, upper }, k) => {
    const name = groups.groups[k]?.label;
    columns.push([`${name}`, value], [`${name}, lower`, lower], [`${name}, upper`, upper]);
  });
  if (groups && groups.groups.length > 1) {
    const gaps = Array.from({ length: part.n_points }, (_, g) => groups.gap(shown.output, g));
    const ends = (of: "value" | "lower" | "upper") => gaps.map((gap) => gap?.[of] ?? Number.NaN);
    columns.push(["gap", ends("value")], ["gap, lower", ends("lower")], ["gap, upper", ends("upper")]);
  }
  const every = Math.ceil(part.n_points / MOST_ROWS);
  const rows = Array.from({ length: part.n_points }, (_, g) => g).filter((g) => g % every === 0);
  const unit = message.response_kind === "share" ? ", per cent" : "";
  return {
    caption: `${part.title}${unit}${bounds ? `; bounds for ${shareWords(distance)} of the rows replaced` : ""}`,
    columns: [...part.axes.map(({ name }) => name), ...columns.map(([name]) => name)],
    rows: rows.map((g) => [
      ...part.axes.map(
        ({ labels }, k) =>
          labels[part.axes.length === 1 || k === 1 ? g % labels.length : Math.floor(g / across)] ?? "",
      ),
      ...columns.map(([, values]) => bare(values[g] as number)),
    ]),
  };
}

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
  const table = createDataTable("The numbers as a table", signal, () =>
    view ? tableOf(message, view) : { caption: "", columns: [], rows: [] },
  );
  const element = html("div", { class: "ts-chart" }, reading, holder, table);

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
  followWidth(holder, signal, (measured) => {
    if (measured === width) return;
    width = measured;
    if (view) draw(view);
  });
  const leave = (event: Event) => intend({ point: null }, event);
  const follow = (event: PointerEvent) => {
    const box = picture.getBoundingClientRect();
    const scale = box.width > 0 ? width / box.width : 1;
    const point = plane?.placeAt((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    if (point !== undefined && point !== view?.state.point) intend({ point }, event);
  };
  listen(picture, "pointermove", signal, follow);
  listen(picture, "pointerleave", signal, leave);
  listen(picture, "blur", signal, leave);
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
  listenToKeys(picture, signal, press);

  return {
    element,
    update(now) {
      view = now;
      if (width === 0) width = holder.clientWidth || sizes.chart.fallbackWidth;
      const { df, pareto_k, carriers } = now.shown.population;
      const { reason } = judgeWeights(message.reliability, df, pareto_k, carriers);
      const level = now.shown.moved === null ? 0 : levelOf(message.reliability, reason);
      element.classList.toggle("ts-unreliable", level === 2);
      element.classList.toggle("ts-is-stale", !now.shown.chosen || now.shown.stale || now.shown.groupsLate);
      draw(now);
    },
  };
}
