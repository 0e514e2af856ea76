/** A metric against τ, or another quantity: one line per feature, named at its right end. */

import { bisectCenter, bisectLeft } from "../solve/bisect";
import type { MetricKind } from "../theme/formats";
import { sizes } from "../theme/theme";
import { axis, axisTicks, finiteExtent, niceDomain, spaced } from "./axis";
import { endLabels } from "./end_labels";
import { frameFor, placeIn } from "./frame";
import { areaPath, linePath } from "./path";
import type { Front, Label, Point, Scene, Series } from "./scene";
import { groupTraces, segments, traceBand, traceLine } from "./segments";
import { BOLD, fitText, textWidth } from "./text_width";

const X_TICKS = [-1, -0.5, 0, 0.5, 1];
const MOST_LABELS = 10;
const FARTHEST_LABEL = 22;
/** Moved by more than this, a label is tied to its line's end. */
const LEADER = 5;
/** How far beyond the curves their intervals may stretch the axis, as a part of the curves' span. */
const INTERVAL_ROOM = 0.2;
/** Words for what is not solid, by level; the first that fits. */
const REMARKS = [[], ["wide: read the interval", "wide"], ["unreliable"]] as const;

export interface CurveSceneOptions {
  readonly width: number;
  /** By default after the width. */
  readonly height?: number | undefined;
  readonly taus: readonly number[];
  /** Where nothing is moved; of another quantity than τ the value that stands now, −1 for none. */
  readonly zero: number;
  /** Where a dashed line stands; by default where the first line does with nothing moved. */
  readonly base?: number;
  /** Another quantity than τ. */
  readonly xTitle?: string;
  readonly kind: MetricKind;
  readonly yTitle: string;
  /** The features to draw a line for, the chosen one among them; by default all. */
  readonly drawn?: readonly number[];
}

/** Intervals where they can be read; elsewhere they would flatten every line. */
function readableBounds(series: Series): number[][] {
  const { lower, upper, levels } = series;
  if (!lower || !upper) return [];
  const kept = Array.from(levels, (level, t) => (level < 2 ? t : -1)).filter((t) => t >= 0);
  return [kept.map((t) => lower[t] as number), kept.map((t) => upper[t] as number)];
}

/** Extent of the curves, and of their intervals as far as these leave the curves room. */
function extentOf(
  series: readonly Series[],
  envelope: { readonly low: readonly number[]; readonly high: readonly number[] },
): [number, number] {
  const [low, high] = finiteExtent([
    ...series.flatMap((line) => (line.beside ? [line.y, line.beside] : [line.y])),
    envelope.low,
    envelope.high,
  ]);
  const [lower, upper] = finiteExtent(series.flatMap((line) => [[low, high], ...readableBounds(line)]));
  const room = INTERVAL_ROOM * (high - low) || upper - lower;
  return [Math.max(lower, low - room), Math.min(upper, high + room)];
}

function signed(tau: number): string {
  return tau === 0 ? "0" : `${tau < 0 ? "−" : "+"}${Math.abs(tau)}`;
}

function lastFinite(values: ArrayLike<number>): number {
  for (let t = values.length - 1; t >= 0; t--) if (Number.isFinite(values[t])) return values[t] as number;
  return Number.NaN;
}

/** Lowest and highest at each τ of what is not unreliable; NaN where nothing is. */
function envelopeOf(others: readonly Series[], n: number): { low: number[]; high: number[] } {
  const low = new Array<number>(n).fill(Number.NaN);
  const high = new Array<number>(n).fill(Number.NaN);
  for (const { y, levels } of others) {
    for (let t = 0; t < n; t++) {
      const value = y[t] as number;
      if ((levels[t] as number) > 1 || !Number.isFinite(value)) continue;
      if (!(value >= (low[t] as number))) low[t] = value;
      if (!(value <= (high[t] as number))) high[t] = value;
    }
  }
  return { low, high };
}

export function curveScene(series: readonly Series[], options: CurveSceneOptions): Scene {
  const { width, taus, zero, kind } = options;
  const drawn = options.drawn ?? series.map((_, feature) => feature);
  const one = (feature: number) => series[feature] as Series;
  const labelOf = (feature: number) => one(feature).label ?? one(feature).name;
  const envelope = envelopeOf(
    series.filter((_, feature) => !drawn.includes(feature)),
    taus.length,
  );
  const frame = frameFor(width, drawn.map(labelOf), options.height);
  const yCount = frame.height < 300 ? 4 : 6;
  const x = axis([taus[0] ?? -1, taus.at(-1) ?? 1], [frame.left, frame.right]);
  const y = axis(niceDomain(extentOf(drawn.map(one), envelope), kind, yCount), [frame.bottom, frame.top]);
  const inside = (value: number) => Math.min(frame.bottom, Math.max(frame.top, y.at(value)));

  const xs = taus.map((tau) => x.at(tau));
  const at = (t: number) => xs[t] as number;
  const lineOf = (line: Series) => traceLine(at, (t) => y.at(line.y[t] as number), line.levels);
  const base = y.at(options.base ?? series[0]?.y[zero] ?? Number.NaN);
  const here = x.at(options.xTitle ? (taus[zero] ?? Number.NaN) : 0);
  const upright = {
    kind: "zero",
    from: { x: here, y: frame.top },
    to: { x: here, y: frame.bottom },
  } as const;
  const guides: Scene["guides"] = options.xTitle
    ? [upright].filter(({ from }) => Number.isFinite(from.x))
    : [upright, { kind: "baseline", from: { x: frame.left, y: base }, to: { x: frame.right, y: base } }];

  const labels = (chosen: number): Label[] => {
    const lines = drawn.includes(chosen) ? drawn : [...drawn, chosen];
    const ends = lines.map((feature) => y.at(lastFinite(one(feature).y)));
    const room = width - frame.right - sizes.margin.label - 2;
    const shown = endLabels(ends, lines.indexOf(chosen), {
      gap: sizes.labelGap,
      low: frame.top,
      high: frame.bottom,
      most: MOST_LABELS,
      farthest: FARTHEST_LABEL,
    });
    return shown.map(({ line, at: label }) => {
      const [feature, end] = [lines[line] as number, ends[line] as number];
      return {
        feature,
        text: fitText(labelOf(feature), sizes.text, feature === chosen ? room / BOLD : room),
        x: frame.right + sizes.margin.label,
        y: label,
        anchor: "start",
        ...(Math.abs(label - end) > LEADER && { leader: { x: frame.right + 1, y: end } }),
      };
    });
  };

  /** Words at each stretch that is not reliable and wide enough to hold them. */
  const remarks = (line: Series): Front["remarks"] =>
    REMARKS.flatMap((sayings, wanted) =>
      segments(line.levels, (level) => level === wanted).flatMap((run) => {
        const [from, to] = [at(run[0] as number), at(run.at(-1) as number)];
        const text = sayings.find((words) => textWidth(words, sizes.text - 1) < to - from);
        return text ? [{ x: (from + to) / 2, y: frame.bottom - 6, text, anchor: "middle" as const }] : [];
      }),
    );

  const distance = (line: Series, tau: number, py: number): number => {
    const after = Math.min(taus.length - 1, Math.max(1, bisectLeft(taus, tau)));
    const [t0, t1] = [taus[after - 1] as number, taus[after] as number];
    const part = (tau - t0) / (t1 - t0);
    const value = (line.y[after - 1] as number) * (1 - part) + (line.y[after] as number) * part;
    return Math.abs(y.at(value) - py);
  };

  return {
    frame,
    xTicks: spaced(
      options.xTitle
        ? axisTicks(x, 4, "value")
        : X_TICKS.filter((tau) => tau >= x.domain[0] && tau <= x.domain[1]).map((tau) => ({
            at: x.at(tau),
            label: signed(tau),
          })),
    ),
    yTicks: axisTicks(y, yCount, kind),
    xTitle: options.xTitle ?? "τ",
    yTitle: options.yTitle,
    guides,
    context: groupTraces(drawn.map((feature) => lineOf(one(feature)))),
    envelope: areaPath(
      taus.map((_, t) => t),
      at,
      (t) => y.at(envelope.low[t] as number),
      (t) => y.at(envelope.high[t] as number),
    ),
    drawn,
    names: series.map((line) => line.name),
    cursor: true,
    place: (at, value) => placeIn(frame, { x: x.at(at), y: y.at(value) }),
    point: (feature, t) => ({ x: at(t), y: y.at(one(feature).y[t] as number) }),
    line: (feature) => lineOf(one(feature)),
    front: (feature) => {
      const line = one(feature);
      const { lower, upper, beside } = line;
      return {
        line: lineOf(line),
        ...(lower &&
          upper && {
            band: traceBand(
              at,
              (t) => inside(lower[t] as number),
              (t) => inside(upper[t] as number),
              line.levels,
            ),
          }),
        ...(beside && { beside: linePath(taus.keys(), at, (t) => inside(beside[t] as number)) }),
        labels: labels(feature),
        remarks: remarks(line),
      };
    },
    pick: (point: Point) => {
      const tau = x.value(point.x);
      let nearest: number | null = null;
      let closest: number = sizes.pickDistance;
      for (const feature of drawn) {
        const d = distance(one(feature), tau, point.y);
        if (d < closest) [nearest, closest] = [feature, d];
      }
      return nearest;
    },
    tauAt: (_, point) => bisectCenter(taus, x.value(point.x)),
  };
}
