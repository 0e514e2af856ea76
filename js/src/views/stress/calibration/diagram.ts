/** The reliability diagram over a histogram of the scores: as tested grey, under the stress in front with intervals. */

import { axis, axisTicks, niceDomain, spaced } from "../../../marks/axis";
import { label, line } from "../../../marks/axis_marks";
import { createDataTable } from "../../../marks/data_table";
import { html, setText, svg } from "../../../marks/element";
import { createPicker } from "../../../marks/picker";
import { followWidth } from "../../../marks/resize";
import { count, quantityFormat } from "../../../theme/formats";
import { sizes } from "../../../theme/theme";
import type { CalibrationBinMessage, CalibrationMessage } from "../../../wire/messages";
import { LEVELS } from "../../../wire/reasons";
import { rangeWords } from "../../shared/estimates";
import type { Part } from "../../shared/part";
import { rowsOf } from "../../shared/words";
import { groupOf, type State } from "./state";

const WIDEST = 460;
const BELOW = 54;
const MARGIN = { left: 52, right: 26, top: 8, bottom: 42 };
const { value: percent, bare } = quantityFormat("share", 1);

function binWords(bin: CalibrationBinMessage): string {
  const { left, right, predicted, observed, lower, upper, n_rows, ess, why } = bin;
  return [
    `${percent(left)} – ${percent(right)}: predicted ${percent(predicted)}, observed ${percent(observed)}`,
    `(${rangeWords(bare(lower), bare(upper))}), ${count(ess)} effective of ${rowsOf(n_rows)}`,
    why && `; ${why}`,
  ].join(" ");
}

/** The same on both axes, so that the diagonal is one. */
function domainOf({ now }: State): readonly [number, number] {
  const all = now.groups.flatMap(({ tested, bins, scores, tested_scores }) => [
    ...[...tested, ...bins].flatMap(({ predicted, observed }) => [predicted, observed]),
    ...[scores, tested_scores].map(
      (shares) => shares.reduce((end, share, k) => (share > 0 ? k + 1 : end), 0) / shares.length,
    ),
  ]);
  return [0, niceDomain([0, Math.max(0.05, ...all)], "share", 5)[1]];
}

function draw(state: State, width: number): SVGSVGElement {
  const { now, group } = state;
  const { left, top, bottom, right } = MARGIN;
  const side = Math.min(width, WIDEST) - left - right;
  const domain = domainOf(state);
  const x = axis(domain, [left, left + side]);
  const y = axis(domain, [top + side, top]);
  const floor = top + side + 12 + BELOW;
  const height = floor + bottom;
  const picture = svg("svg", {
    class: "ts-reliability",
    width: left + side + right,
    height,
    viewBox: `0 0 ${left + side + right} ${height}`,
    role: "img",
  });
  const clip = (value: number) => Math.min(domain[1], Math.max(0, value));
  const end = left + side;
  for (const { at, label: words } of axisTicks(y, 5, "share")) {
    picture.append(line("ts-grid", left, at, end, at), label("ts-tick", left - 6, at, words, "end"));
  }
  for (const { at, label: words } of spaced(axisTicks(x, 5, "share"))) {
    picture.append(label("ts-tick", at, floor + 11, words, "middle"));
  }
  picture.append(
    label("ts-tick", left + side / 2, floor + 30, "predicted probability", "middle"),
    line("ts-diagonal", left, top + side, end, top),
    line("ts-rule", left, floor, end, floor),
  );
  const path = (bins: readonly CalibrationBinMessage[], kind: string) => {
    const points = bins.map(
      ({ predicted, observed }) => `${x.at(predicted).toFixed(1)},${y.at(observed).toFixed(1)}`,
    );
    picture.append(svg("polyline", { class: kind, points: points.join(" ") }));
  };
  const bars = (shares: readonly number[], most: number, kind: string) => {
    shares.forEach((share, k) => {
      const [from, to] = [k, k + 1].map((one) => x.at(clip(one / shares.length))) as [number, number];
      const high = (BELOW * share) / most;
      if (share > 0)
        picture.append(
          svg("rect", {
            class: kind,
            x: from + 0.5,
            width: Math.max(0, to - from - 1),
            y: floor - high,
            height: high,
          }),
        );
    });
  };
  now.groups.forEach(({ bins }, g) => {
    if (g !== group) path(bins, "ts-line");
  });
  const front = groupOf(state);
  if (!front) return picture;
  const most = Math.max(...front.scores, ...(now.moved ? front.tested_scores : []), 1e-9);
  bars(front.scores, most, "ts-score-bar");
  if (now.moved) {
    bars(front.tested_scores, most, "ts-score-before");
    path(front.tested, "ts-other-model");
  }
  path(front.bins, "ts-chosen");
  for (const bin of front.bins) {
    const at = x.at(bin.predicted);
    const level = LEVELS.indexOf(bin.level);
    const dot = svg("circle", {
      class: `ts-dot${level === 2 ? " ts-is-hollow" : ""}`,
      cx: at,
      cy: y.at(bin.observed),
      r: 4.5,
    });
    const mark = svg("g", {}, svg("title", {}, binWords(bin)));
    if (Number.isFinite(bin.lower) && Number.isFinite(bin.upper)) {
      mark.append(line("ts-beside-bar", at, y.at(clip(bin.lower)), at, y.at(clip(bin.upper))));
    }
    mark.append(dot);
    picture.append(mark);
  }
  return picture;
}

export function createDiagram(
  message: CalibrationMessage,
  signal: AbortSignal,
  intend: (change: Partial<State>, event: Event) => void,
): Part<State> {
  const { groups, by, target_class } = message;
  let shown: State | null = null;
  let width = 0;
  const name = `Group of ${by} in front`;
  const picker = createPicker(
    { class: "ts-heading", "aria-label": name, "data-testid": "group", hidden: by === "" },
    groups.map((group) => [group, group] as const),
    signal,
    (_, event) => intend({ group: picker.selectedIndex }, event),
  );
  const holder = html("div", { class: "ts-reliability-holder" });
  const heading = html(
    "p",
    { class: "ts-quiet" },
    `Observed share of ${target_class}, over its predicted probability`,
  );
  const legend = html("p", { class: "ts-quiet", "data-testid": "legend" });
  const table = createDataTable("Every bin as a table", signal, () => ({
    caption: `Predicted probability of ${target_class} and its observed share`,
    columns: ["bin", "population", "predicted", "observed", "interval", "effective rows", "reliability"],
    rows: shown ? binRows(shown) : [],
  }));
  const redraw = (state: State) => {
    const picture = draw(state, width);
    picture.setAttribute("aria-label", summary(state));
    holder.replaceChildren(picture);
  };
  const summary = (state: State) => {
    const bins = groupOf(state)?.bins ?? [];
    const told = bins.map(
      ({ predicted, observed }) => `${percent(predicted)} predicted, ${percent(observed)} observed`,
    );
    const whose = by ? `, ${groups[state.group]}` : "";
    return `Reliability diagram of ${target_class}${whose}: ${told.join("; ") || "no rows"}`;
  };
  followWidth(holder, signal, (measured) => {
    if (measured === width) return;
    width = measured;
    if (shown) redraw(shown);
  });
  return {
    element: html("section", { class: "ts-diagram" }, picker, heading, holder, legend, table),
    update(state, before) {
      shown = state;
      if (!before) width = holder.clientWidth || sizes.chart.fallbackWidth;
      picker.selectedIndex = state.group;
      holder.classList.toggle("ts-is-stale", state.late);
      const said = [
        "Bars: intervals.",
        state.now.moved && "Dashed, and outlined below: as tested.",
        by && groups.length > 1 && "Grey: the other groups.",
        groupOf(state)?.bins.some(({ level }) => level === "unreliable") && "Hollow: unreliable.",
        "Below: share of the weight.",
      ];
      setText(legend, said.filter(Boolean).join(" "));
      if (state.now !== before?.now || state.group !== before.group) {
        redraw(state);
        table.refresh();
      }
    },
  };
}

function binRows(state: State): string[][] {
  const group = groupOf(state);
  if (!group) return [];
  const rows = (bins: readonly CalibrationBinMessage[], population: string) =>
    bins.map((bin) => [
      `${percent(bin.left)} – ${percent(bin.right)}`,
      population,
      percent(bin.predicted),
      percent(bin.observed),
      rangeWords(bare(bin.lower), bare(bin.upper)),
      `${count(bin.ess)} of ${count(bin.n_rows)}`,
      bin.why || bin.level,
    ]);
  const tested = rows(group.tested, "as tested");
  return state.now.moved ? [...tested, ...rows(group.bins, "under the stress")] : tested;
}
