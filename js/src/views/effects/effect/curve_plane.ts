/** Draws an effect along numbers: the rows' own curves and the axes behind, what moves with the stress in front. */

import { fittedLabel, label, line, tenth } from "../../../marks/axis_marks";
import { setAttribute, setAttributes, svg } from "../../../marks/element";
import { spreadLabels } from "../../../marks/end_labels";
import { sizes } from "../../../theme/theme";
import { isAccumulated } from "../../../wire/effects/effect";
import { type CurveScene, curveScene, insideLabel } from "./curve_scene";
import type { DerivedView } from "./derive_view";
import { type LineOver, linesOver } from "./overlay";
import type { Drawing, Plane } from "./plane";
import { type Domain, effectDomain } from "./scale";

/** Lines up to which the intervals of groups are drawn; more would hide one another. */
const FEW = 3;

/** Lower and upper ends at each point. */
type Ends = { readonly lower: ArrayLike<number>; readonly upper: ArrayLike<number> };

function drawBack(
  { frame, floor, xTicks, yTicks, bars, missing, x }: CurveScene,
  { shown, response }: Drawing,
): SVGElement[] {
  const { left, right, top, bottom, width } = frame;
  const about = shown.part.axes[0] as DerivedView["part"]["axes"][number];
  const unit = about.unit ? ` (${about.unit})` : "";
  const share = about.shares;
  const missingShare = missing >= 0 ? 1 - share.reduce((a, b) => a + b, 0) : 0;
  return [
    ...yTicks.map(({ at }) => line("ts-grid", left, at, right, at)),
    ...yTicks.map(({ at, label: words }) => label("ts-tick", left - 8, at, words, "end")),
    svg("path", { class: "ts-before", d: bars }),
    line("ts-rule", left, bottom, right, bottom),
    line("ts-rule", left, floor, right, floor),
    ...xTicks.map(({ at }) => line("ts-rule", at, floor, at, floor + 4)),
    ...xTicks.map((tick) => {
      const { x: at, text } = insideLabel(tick, width);
      return label("ts-tick", at, floor + 13, text, "middle");
    }),
    fittedLabel("ts-tick", (left + right) / 2, floor + 30, `${about.name}${unit}`, "middle", right - left),
    fittedLabel(
      "ts-tick",
      3,
      top - 16,
      isAccumulated(shown.part.kind) ? `${response}, centred` : response,
      "start",
      width - 6,
    ),
    ...(missing >= 0
      ? [
          label("ts-tick", x(missing), floor + 13, "missing", "middle"),
          svg("path", {
            class: "ts-before",
            d: `M${x(missing) - 8},${floor}v${-Math.min(30, Math.max(1, 30 * missingShare)).toFixed(1)}h16V${floor}Z`,
          }),
        ]
      : []),
  ];
}

/** A band at the point of missing values: a bar of its own. */
function bar(className: string, scene: CurveScene, { lower, upper }: Ends, half: number): SVGElement[] {
  const g = scene.missing;
  if (g < 0 || !Number.isFinite(lower[g]) || !Number.isFinite(upper[g])) return [];
  const [low, high] = [scene.y(lower[g] as number), scene.y(upper[g] as number)];
  return [
    svg("rect", {
      class: className,
      x: scene.x(g) - half,
      width: 2 * half,
      y: tenth(high),
      height: tenth(low - high),
    }),
  ];
}

/** Where the name of a line stands, at its last point; NaN of a line without points. */
function endOf({ places, y }: CurveScene, { value }: LineOver): number {
  const last = [...places].reverse().find((g) => Number.isFinite(value[g])) ?? -1;
  return y(value[last] as number);
}

function namesOf(scene: CurveScene, lines: readonly LineOver[]): SVGElement[] {
  const { top, bottom, right } = scene.frame;
  const named = lines.filter((one) => Number.isFinite(endOf(scene, one)));
  const at = spreadLabels(
    named.map((one) => endOf(scene, one)),
    sizes.text,
    top,
    bottom,
  );
  return named.map(({ name }, k) =>
    fittedLabel("ts-name", right + 6, at[k] as number, name, "start", scene.nameRoom - 6),
  );
}

export function createCurvePlane(): Plane {
  const back = svg("g");
  const rows = svg("path", { class: "ts-ice" });
  const band = svg("path", { class: "ts-band" });
  const paper = svg("path", { class: "ts-paper" });
  const interval = svg("path", { class: "ts-interval" });
  const known = svg("path", { class: "ts-known" });
  const movedInterval = svg("path", { class: "ts-moved-interval" });
  const moved = svg("path", { class: "ts-chosen" });
  const overlays = svg("g");
  const apart = svg("g");
  const ends = svg("g");
  const cursor = svg("line", { class: "ts-cursor" });
  const dot = svg("circle", { class: "ts-dot", r: 4.5 });
  const inner = svg("svg", { overflow: "hidden" });
  inner.append(rows, band, paper, interval, movedInterval, overlays, known, moved);
  const element = svg("g");
  element.append(back, inner, apart, ends, cursor, dot);

  let scene: CurveScene | null = null;
  let drawn: { part: unknown; output: number; width: number; domain: Domain; names: string } | null = null;

  const stage = (drawing: Drawing, lines: readonly LineOver[]): CurveScene => {
    const { shown, width, kind } = drawing;
    const { part, output } = shown;
    const named = lines.map(({ name }) => name);
    const names = named.join("\n");
    const same =
      drawn?.part === part && drawn.output === output && drawn.width === width && drawn.names === names;
    const domain = effectDomain(shown, kind, 5, same ? (drawn?.domain ?? null) : null);
    if (scene && same && drawn?.domain === domain) return scene;
    const next = curveScene(part.axes[0] as DerivedView["part"]["axes"][number], domain, {
      width,
      kind,
      names: named,
    });
    const { left, right, top, bottom } = next.frame;
    // an inner picture clips what leaves the plotting area, in its own coordinates
    const box = { x: left - 3, y: top, width: right - left + 6, height: bottom - top };
    setAttributes(inner, { ...box, viewBox: `${box.x} ${box.y} ${box.width} ${box.height}` });
    back.replaceChildren(...drawBack(next, drawing));
    const { value, lower, upper } = shown.known;
    rows.setAttribute("d", part.sample(output).map(next.line).join(""));
    known.setAttribute("d", next.line(value));
    interval.setAttribute("d", next.area(lower, upper));
    drawn = { part, output, width, domain, names };
    scene = next;
    return next;
  };

  return {
    element,
    height: () => scene?.frame.height ?? 0,
    draw(drawing) {
      const { shown } = drawing;
      const lines = linesOver(shown);
      const now = stage(drawing, lines);
      const { bounds, moved: after, known: before } = shown;
      setAttribute(band, "d", bounds ? now.area(bounds.certified.lower, bounds.certified.upper) : "");
      const outline = drawing.paper ? bounds?.paper : null;
      setAttribute(paper, "d", outline ? now.line(outline.lower) + now.line(outline.upper) : "");
      setAttribute(moved, "d", after ? now.line(after.curve.value) : "");
      setAttribute(movedInterval, "d", after ? now.area(after.curve.lower, after.curve.upper) : "");
      known.classList.toggle("ts-is-alone", !after);
      overlays.replaceChildren(
        ...lines.flatMap(({ className, value, interval }) => [
          ...(interval && lines.length <= FEW
            ? [svg("path", { class: "ts-group-interval", d: now.area(interval.lower, interval.upper) })]
            : []),
          svg("path", { class: `ts-overlay ${className}`, d: now.line(value) }),
        ]),
      );
      ends.replaceChildren(...namesOf(now, lines));
      const missing = now.missing;
      const lone = (className: string, value: ArrayLike<number>) =>
        missing >= 0 && Number.isFinite(value[missing])
          ? [
              svg("circle", {
                class: className,
                cx: now.x(missing),
                cy: tenth(now.y(value[missing] as number)),
                r: 4,
              }),
            ]
          : [];
      apart.replaceChildren(
        ...(bounds ? bar("ts-band", now, bounds.certified, 7) : []),
        ...bar("ts-interval", now, before, 3),
        ...lone(after ? "ts-known-dot" : "ts-dot", before.value),
        ...(after ? lone("ts-dot", after.curve.value) : []),
        ...lines.flatMap(({ value }) => lone("ts-overlay-dot", value)),
      );
    },
    mark(shown, point) {
      if (!scene) return;
      const value =
        point === null ? Number.NaN : ((shown.moved?.curve.value ?? shown.known.value)[point] as number);
      const seen = point !== null && Number.isFinite(value);
      for (const mark of [cursor, dot]) setAttribute(mark, "visibility", seen ? "visible" : "hidden");
      if (!seen) return;
      const [x, y] = [tenth(scene.x(point)), tenth(scene.y(value))];
      setAttributes(cursor, { x1: x, x2: x, y1: scene.frame.top, y2: scene.floor });
      setAttributes(dot, { cx: x, cy: y });
    },
    placeAt: (px) => scene?.placeAt(px) ?? 0,
    order: () => (scene ? [...scene.places, ...(scene.missing >= 0 ? [scene.missing] : [])] : []),
  };
}
