/** Every metric before, expected there with its interval, and observed on the new rows, on one scale each. */

import { finiteExtent } from "../../../marks/axis";
import { html, setText } from "../../../marks/element";
import { createIntervalTrack, trackScale } from "../../../marks/interval_track";
import { rowHead, tableHead } from "../../../marks/table";
import { type QuantityFormat, quantityFormat, span } from "../../../theme/formats";
import type { Interval } from "../../../wire/buffers";
import type { TargetPopulationMessage } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import type { Way } from "../../../wire/stress/towards";
import { confidenceWords, createEstimate, rangeWords, showTrust } from "../../shared/estimates";
import type { Part } from "../../shared/part";
import { capitalize, intervalWords } from "../../shared/words";
import { type State, stepOf } from "./state";

/** Formats of each metric, by the widths of its intervals: the same along all of the way. */
export function metricFormats({ metrics, before, observed }: TargetPopulationMessage, way: Way) {
  return metrics.map(({ kind }, j): QuantityFormat => {
    const all = [...way.steps.map(({ expected }) => expected[j] as Interval), ...observed.slice(j, j + 1)];
    const widths = all.map(({ lower, upper }) => upper - lower).filter((width) => width > 0);
    const moved = span([before[j] ?? Number.NaN, ...all.map(({ value }) => value)]);
    return quantityFormat(kind, widths.length > 0 ? Math.max(...widths) : moved, 1);
  });
}

const written = ({ value, bare }: QuantityFormat, now: Interval) =>
  [value(now.value), intervalWords(bare(now.lower), bare(now.upper))] as const;

/**
 * The metric in words: "12.8 % as tested, 14.1 % expected (13.2 – 15.0), 15.0 % observed (13.6 – 16.4)".
 *
 * @param at what stands before what is expected
 */
export function metricWords(
  format: QuantityFormat,
  before: number,
  expected: Interval,
  observed: Interval | undefined,
  at = "",
): string {
  const [now, range] = written(format, expected);
  const seen = observed ? `, ${written(format, observed).join(" observed (")})` : "";
  return `${format.value(before)} as tested, ${at}${now} expected (${range})${seen}`;
}

/** Expected less observed in words: "+2.8 points (0.4 to 5.2)", its interval alone second. */
export function differenceWords({ change, bare }: QuantityFormat, { value, lower, upper }: Interval) {
  return [change(value), rangeWords(bare(lower), bare(upper))] as const;
}

function createCell(name: string, label: string, swatch: string, testid: string) {
  const marks = swatch ? [html("i", { class: `ts-pair-swatch ${swatch}`, "aria-hidden": "true" })] : [];
  return createEstimate({ class: `ts-number ${name}`, "data-label": label, "data-testid": testid }, ...marks);
}

const levelOf = (name: (typeof LEVELS)[number] | undefined) => LEVELS.indexOf(name ?? LEVELS[0]) as Level;

function createRow(message: TargetPopulationMessage, j: number) {
  const { metrics, before, observed } = message;
  const { name, label } = metrics[j] as (typeof metrics)[number];
  const [was, seen] = [before[j] as number, observed[j]];
  const ring = html("span", { class: "ts-way-ring" });
  const track = createIntervalTrack("first", ring);
  const seenTrack = seen && createIntervalTrack("second");
  const tracks = html("td", { class: "ts-pair-tracks", "aria-hidden": "true" }, track);
  if (seenTrack) tracks.append(seenTrack.element);
  const wasCell = html("td", {
    class: "ts-number ts-way-before",
    "data-label": "as tested",
    "data-testid": "before",
  });
  const ringSwatch = html("i", { class: "ts-pair-swatch ts-way-swatch", "aria-hidden": "true" });
  const wasNumber = html("span");
  wasCell.append(ringSwatch, wasNumber);
  const now = createCell("ts-way-expected", "expected", "ts-is-first", "expected");
  const there = seen && createCell("ts-way-observed", "observed", "ts-is-second", "observed");
  const gap = seen && createCell("ts-way-difference", "difference", "", "difference");
  const beyond = html("span", { class: "ts-quiet" });
  gap?.element.append(" ", beyond);
  const trust = html("td", { class: "ts-way-trust", "data-testid": "trust" });
  const element = html(
    "tr",
    { "data-testid": `metric-${name}` },
    rowHead(capitalize(label)),
    tracks,
    wasCell,
    now,
    ...(there && gap ? [there, gap] : []),
    trust,
  );
  return {
    element,
    /** @param ends of the scale */
    update(state: State, format: QuantityFormat, ends: readonly [number, number]) {
      const step = stepOf(state);
      const expected = step.expected[j] as Interval;
      const at = trackScale(ends);
      ring.hidden = !Number.isFinite(was);
      ring.style.left = `${at(was).toFixed(2)}%`;
      track.update(expected, at);
      if (seen) seenTrack?.update(seen, at);
      setText(wasNumber, format.value(was));
      now.show(...written(format, expected));
      const level = levelOf(step.reliability[j]);
      now.judge(level);
      const difference = step.differences[j];
      if (seen && difference) {
        there?.show(...written(format, seen));
        there?.judge(levelOf(seen.level));
        gap?.show(...differenceWords(format, difference));
        gap?.element.classList.toggle("ts-is-beyond", step.beyond[j] ?? false);
        const verdict = step.beyond[j];
        setText(beyond, verdict === null ? "not judged" : "beyond chance");
        beyond.hidden = verdict === false;
      }
      const both = Math.max(level, levelOf(seen?.level)) as Level;
      const why = [step.reasons[j], seen?.reason && `observed: ${seen.reason}`].filter(Boolean);
      showTrust(trust, both, why.join("; "));
    },
  };
}

export function createMetrics(message: TargetPopulationMessage): Part<State> {
  const { metrics, before, observed, confidence } = message;
  const rows = metrics.map((_, j) => createRow(message, j));
  const percent = confidenceWords(confidence);
  const table = html(
    "table",
    { class: "ts-metrics ts-way-metrics", "data-testid": "metrics" },
    tableHead(
      "metric",
      html("td", { class: "ts-pair-tracks", "aria-hidden": "true" }),
      "as tested",
      `expected ${percent}`,
      ...(observed.length > 0 ? [`observed ${percent}`, `difference ${percent}`] : []),
      "reliability",
    ),
    html("tbody", {}, ...rows),
  );
  let [formats, scales]: [QuantityFormat[], [number, number][]] = [[], []];
  return {
    element: html("section", { class: "ts-all-metrics" }, html("h3", {}, "All metrics"), table),
    update(state, last) {
      if (state.way !== last?.way) {
        formats = metricFormats(message, state.way);
        scales = metrics.map((_, j) => {
          const all = [...state.way.steps.map(({ expected }) => expected[j]), observed[j]];
          const ends = all.flatMap((one) => (one ? [one.value, one.lower, one.upper] : []));
          return finiteExtent([[before[j] as number, ...ends]]);
        });
      }
      rows.forEach((row, j) => {
        row.update(state, formats[j] as QuantityFormat, scales[j] as [number, number]);
      });
    },
  };
}
