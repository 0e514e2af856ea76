/** True against false positive rate: each feature's path through the ROC plane as τ runs. */

import { sizes } from "../theme/theme";
import { axis, axisTicks, finiteExtent, niceDomain, spaced } from "./axis";
import { frameFor, placeIn } from "./frame";
import type { Front, Label, Point, Scene, Series } from "./scene";
import { groupTraces, traceLine } from "./segments";
import { BOLD, fitText, textWidth } from "./text_width";

const MOST_LABELS = 8;
const LABEL_OFFSET = 8;
/** Nearer to the crossing than this, an end is not worth a name. */
const NEAR = 36;

export interface RocSceneOptions {
  readonly width: number;
  /** By default after the width. */
  readonly height?: number | undefined;
  readonly zero: number;
  /** What the first point of each path is. */
  readonly start: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** The features to draw a path for, the chosen one among them; by default all. */
  readonly drawn?: readonly number[];
}

function last(line: Series): number {
  for (let t = line.y.length - 1; t >= 0; t--) {
    if (Number.isFinite(line.x[t]) && Number.isFinite(line.y[t])) return t;
  }
  return -1;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Whether a line passes through a label. */
function crosses(box: Box, points: readonly Point[]): boolean {
  return points.some(({ x, y }) => x > box.left && x < box.right && Math.abs(y - box.y) < sizes.labelGap / 2);
}

function free(box: Box, taken: readonly Box[]): boolean {
  return taken.every(
    (other) =>
      box.right < other.left || box.left > other.right || Math.abs(box.y - other.y) >= sizes.labelGap,
  );
}

export function rocScene(series: readonly Series[], options: RocSceneOptions): Scene {
  const { width, zero } = options;
  const drawn = options.drawn ?? series.map((_, feature) => feature);
  const one = (feature: number) => series[feature] as Series;
  const labelOf = (feature: number) => one(feature).label ?? one(feature).name;
  const frame = frameFor(width, drawn.map(labelOf), options.height);
  const xCount = width < sizes.chart.narrow ? 4 : 6;
  const yCount = frame.height < 300 ? 4 : 6;
  const xDomain = niceDomain(finiteExtent(drawn.map((feature) => one(feature).x)), "share", xCount);
  const yDomain = niceDomain(finiteExtent(drawn.map((feature) => one(feature).y)), "share", yCount);
  const x = axis(xDomain, [frame.left, frame.right]);
  const y = axis(yDomain, [frame.bottom, frame.top]);

  const position = (line: Series, t: number): Point => ({
    x: x.at(line.x[t] as number),
    y: y.at(line.y[t] as number),
  });
  const lineOf = (line: Series) =>
    traceLine(
      (t) => x.at(line.x[t] as number),
      (t) => y.at(line.y[t] as number),
      line.levels,
    );

  const low = Math.max(x.domain[0], y.domain[0]);
  const high = Math.min(x.domain[1], y.domain[1]);
  const guides: Scene["guides"] =
    low < high
      ? [{ kind: "diagonal", from: { x: x.at(low), y: y.at(low) }, to: { x: x.at(high), y: y.at(high) } }]
      : [];

  /** Which end is which; the crossing of all lines is the unstressed population. */
  const remarks = (line: Series): Front["remarks"] => {
    const start = position(line, 0);
    const cross = position(line, zero);
    const found: Front["remarks"][number][] = [];
    if (Number.isFinite(cross.x)) {
      found.push({ x: cross.x + 10, y: cross.y + 15, text: "as tested", anchor: "start" });
    }
    if (Math.hypot(start.x - cross.x, start.y - cross.y) > NEAR) {
      found.push({ x: start.x + 10, y: start.y + 5, text: options.start, anchor: "start" });
    }
    return found;
  };

  /** Ends away from the crossing, the farthest first, while they cover nothing named before. */
  const labels = (chosen: number): Label[] => {
    const centre = position(one(chosen), zero);
    const lines = drawn.includes(chosen) ? drawn : [...drawn, chosen];
    const ordered = lines
      .map((feature) => {
        const end = position(one(feature), last(one(feature)));
        return { feature, end, away: Math.hypot(end.x - centre.x, end.y - centre.y) };
      })
      .filter(({ feature, end, away }) => Number.isFinite(end.x) && (feature === chosen || away > NEAR))
      .sort((a, b) => Number(b.feature === chosen) - Number(a.feature === chosen) || b.away - a.away);
    const taken: Box[] = remarks(one(chosen)).map(({ x: left, y: at, text }) => ({
      left,
      right: left + textWidth(text, sizes.text),
      y: at,
    }));
    const path = Array.from(one(chosen).y, (_, t) => position(one(chosen), t));
    const found: Label[] = [];
    for (const { feature, end } of ordered) {
      if (found.length === MOST_LABELS) break;
      const [toRight, toLeft] = [width - end.x, end.x - frame.left];
      const [most, weight] =
        feature === chosen ? [Math.max(toRight, toLeft) - LABEL_OFFSET - 2, BOLD] : [Infinity, 1];
      const text = fitText(labelOf(feature), sizes.text, Math.min(most, sizes.margin.longestLabel) / weight);
      const room = weight * textWidth(text, sizes.text) + LABEL_OFFSET;
      const right = { left: end.x + 1, right: end.x + room, y: end.y };
      const left = { left: end.x - room, right: end.x - 1, y: end.y };
      const fits = (box: Box) =>
        box.left > frame.left && box.right < width && free(box, taken) && !crosses(box, path);
      const roomier = room < toRight ? right : left;
      const box = [right, left].find(fits) ?? (feature === chosen ? roomier : null);
      if (!box) continue;
      taken.push(box);
      found.push({
        feature,
        text,
        x: end.x + (box === right ? LABEL_OFFSET : -LABEL_OFFSET),
        y: end.y,
        anchor: box === right ? "start" : "end",
      });
    }
    return found;
  };

  const nearest = (line: Series, at: Point): [t: number, distance: number] => {
    let best = zero;
    let closest = Infinity;
    for (let t = 0; t < line.x.length; t++) {
      const here = position(line, t);
      const d = Math.hypot(here.x - at.x, here.y - at.y);
      if (d < closest) [best, closest] = [t, d];
    }
    return [best, closest];
  };

  return {
    frame,
    xTicks: spaced(axisTicks(x, xCount, "share")),
    yTicks: axisTicks(y, yCount, "share"),
    xTitle: options.xTitle,
    yTitle: options.yTitle,
    guides,
    context: groupTraces(drawn.map((feature) => lineOf(one(feature)))),
    envelope: "",
    drawn,
    names: series.map((line) => line.name),
    cursor: false,
    place: (at, value) => placeIn(frame, { x: x.at(at), y: y.at(value) }),
    point: (feature, t) => position(one(feature), t),
    line: (feature) => lineOf(one(feature)),
    front: (feature) => ({
      line: lineOf(one(feature)),
      labels: labels(feature),
      origin: position(one(feature), zero),
      remarks: remarks(one(feature)),
    }),
    pick: (at) => {
      let found: number | null = null;
      let closest: number = sizes.pickDistance;
      for (const feature of drawn) {
        const [, d] = nearest(one(feature), at);
        if (d < closest) [found, closest] = [feature, d];
      }
      return found;
    },
    tauAt: (feature, at) => nearest(one(feature), at)[0],
  };
}
