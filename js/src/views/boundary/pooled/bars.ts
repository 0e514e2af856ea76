/** The pooled weights as bars from zero: unstressed ones in grey behind, those shown in front with their intervals. */

import { createButton } from "../../../marks/button";
import { html, reconcile, setText } from "../../../marks/element";
import type { Pooled, Weights } from "../../../wire/boundary/pooled";
import { counted } from "../../shared/words";
import type { Context, Part } from "./context";
import type { DerivedView } from "./derive_view";
import { endsWords, ordered, trustWords, weightWords } from "./words";

type PartName = "direction" | "present" | "absent";
const CLASSES: Record<PartName, string> = {
  direction: "ts-whole",
  present: "ts-present",
  absent: "ts-absent",
};
/** Ends of the axis are multiples of this. */
const STEP = 0.1;
/** Share of the axis within which an end's label would touch that of 0. */
const NEAR = 0.12;

/** Lowest and highest weight drawn; 0 lies within. */
interface Domain {
  readonly low: number;
  readonly high: number;
}

/** The widest that was needed so far, so that bars do not jump while a slider moves. */
function widen(
  { low, high }: Domain,
  { now }: DerivedView,
  before: Pooled,
  at: number,
  parts: readonly PartName[],
): Domain {
  let [least, most] = [low, high];
  for (const part of parts) {
    for (const { value, lower, upper } of now ? [before[part], now[part]] : [before[part]]) {
      for (const end of [value[at], lower[at], upper[at]] as number[]) {
        // an interval of few rows may be wider than all there is
        const within = Math.min(1, Math.max(-1, end));
        if (within < least) least = within;
        if (within > most) most = within;
      }
    }
  }
  return { low: Math.floor(least / STEP + 1e-9) * STEP, high: Math.ceil(most / STEP - 1e-9) * STEP };
}

function createTrack(name: PartName) {
  const before = html("span", { class: "ts-pool ts-pool-before" });
  const now = html("span", { class: "ts-pool ts-pool-now" });
  const ends = html("span", { class: "ts-pool-ends" });
  const element = html("span", { class: `ts-pool-track ${CLASSES[name]}` }, before, now, ends);
  const place = (mark: HTMLElement, from: number, to: number, { low, high }: Domain) => {
    const percent = (at: number) => (100 * (Math.min(high, Math.max(low, at)) - low)) / (high - low);
    const [start, end] = from < to ? [percent(from), percent(to)] : [percent(to), percent(from)];
    mark.style.left = `${start.toFixed(2)}%`;
    mark.style.width = `${(end - start).toFixed(2)}%`;
    mark.hidden = !(end >= start);
  };
  return {
    element,
    show(old: Weights, shown: Weights | null, at: number, domain: Domain) {
      const present = shown ?? old;
      element.style.setProperty(
        "--ts-origin",
        `${((-100 * domain.low) / (domain.high - domain.low)).toFixed(2)}%`,
      );
      place(before, 0, old.value[at] as number, domain);
      before.hidden = shown === null;
      place(now, 0, present.value[at] as number, domain);
      place(ends, present.lower[at] as number, present.upper[at] as number, domain);
    },
  };
}

function createLine(name: string, parts: readonly PartName[]) {
  const tracks = parts.map(createTrack);
  const old = html("span", { class: "ts-quiet" });
  const now = html("b");
  const ends = html("span", { class: "ts-quiet ts-ends" });
  const element = html(
    "li",
    { "data-feature": name },
    html("span", { class: "ts-bar-name", title: name }, name),
    html("span", { class: "ts-tracks", "aria-hidden": "true" }, ...tracks),
    html("span", { class: "ts-number", "data-testid": "weight" }, old, now, " ", ends),
  );
  return {
    element,
    show(view: DerivedView, before: Pooled, at: number, domain: Domain) {
      parts.forEach((part, k) => {
        tracks[k]?.show(before[part], view.now?.[part] ?? null, at, domain);
      });
      const shown = (view.now ?? before).direction;
      setText(old, view.now ? `${weightWords(before.direction.value[at] as number)} → ` : "");
      setText(now, weightWords(shown.value[at] as number));
      setText(ends, endsWords(shown, at));
    },
  };
}

function swatch(className: string, words: string) {
  return html("li", {}, html("span", { class: `ts-swatch ${className}`, "aria-hidden": "true" }), words);
}

function createLegend(parted: boolean, confidence: number) {
  const stressed = swatch("ts-pool-before", "without the stress");
  const parts = parted
    ? [swatch("ts-present", "rows that have the feature"), swatch("ts-absent", "rows that do not")]
    : [swatch("ts-whole", "pooled weight")];
  const line = swatch("ts-line-swatch", `${Number((100 * confidence).toPrecision(4))} % interval`);
  return { element: html("ul", { class: "ts-pool-legend" }, ...parts, stressed, line), stressed };
}

export function createBars({ data, intend, signal }: Context): Part {
  const { message, before } = data;
  const parted = new Set(message.parted);
  const partsOf = (at: number): readonly PartName[] =>
    parted.has(at) ? ["present", "absent"] : ["direction"];
  const lines = new Map<number, ReturnType<typeof createLine>>();
  const list = html("ul", { class: "ts-pool-bars", "data-testid": "bars" });
  const labels = ["ts-low", "ts-zero", "ts-high"].map((side) => html("span", { class: side }));
  const axis = html(
    "div",
    { class: "ts-pool-axis", "aria-hidden": "true" },
    html("div", { class: "ts-pool-scale" }, ...labels),
  );
  const more = createButton({ "data-testid": "more" }, [], signal, (event) =>
    intend({ most: shownMost < nAll ? nAll : 20 }, event),
  );
  const legend = createLegend(parted.size > 0, message.confidence);
  const nAll = message.features.length;
  let domain: Domain = { low: 0, high: 0 };
  let shownMost = 0;
  return {
    element: html("div", { class: "ts-pool-chart" }, legend, list, axis, more),
    update(view) {
      const { order, most } = view.state;
      shownMost = Math.min(most, nAll);
      const places = ordered(data, view, order).slice(0, most);
      domain = places.reduce((found, at) => widen(found, view, before, at, partsOf(at)), domain);
      const shown = places.map((at) => {
        const line = lines.get(at) ?? createLine(message.features[at] as string, partsOf(at));
        lines.set(at, line);
        line.show(view, before, at, domain);
        return line.element;
      });
      reconcile(list, shown);
      list.classList.toggle("ts-is-stale", view.stale);
      list.classList.toggle("ts-is-unreliable", trustWords(message, view).level === 2);
      legend.stressed.hidden = view.now === null;
      const [low, zero, high] = labels as [HTMLElement, HTMLElement, HTMLElement];
      const ends = [
        [low, domain.low],
        [zero, 0],
        [high, domain.high],
      ] as const;
      const isNearZero = (at: number) => Math.abs(at) < NEAR * (domain.high - domain.low);
      // at an edge it would be cut off by half
      zero.className = isNearZero(domain.low) ? "ts-low" : isNearZero(domain.high) ? "ts-high" : "ts-zero";
      for (const [label, at] of ends) {
        label.style.left = `${(((at - domain.low) / (domain.high - domain.low || 1)) * 100).toFixed(2)}%`;
        setText(label, at.toFixed(1).replace("-", "−"));
        label.hidden = label !== zero && isNearZero(at);
      }
      more.hidden = nAll <= 20 && shownMost === nAll;
      setText(more, shownMost < nAll ? `Show all ${counted(nAll, "feature")}` : "Show the 20 largest");
    },
  };
}
