/** The bars: one line for each shift, chosen with the pointer or the arrow keys. */

import { finiteExtent } from "../../../marks/axis";
import { html, listen, setAttributes } from "../../../marks/element";
import { createName } from "../../../marks/name";
import type { HarmShiftMessage } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { listenToKeys } from "../../shared/keys";
import type { Part } from "../../shared/part";
import { markLevel } from "../../shared/reliability";
import type { Context } from "./context";
import { afterKey, type State } from "./state";

/** Per cent along a track, of the changes of all and the intervals of those that can be read. */
function createScale(shifts: readonly HarmShiftMessage[]): {
  low: number;
  high: number;
  at: (value: number) => number;
} {
  const ends = shifts.flatMap(({ change, lower, upper, reliability }) =>
    reliability === "unreliable" ? [change] : [change, lower, upper],
  );
  const [low, high] = finiteExtent([[0, ...ends]]);
  const at = (value: number) => (100 * (Math.max(low, Math.min(high, value)) - low)) / (high - low || 1);
  return { low, high, at };
}

function createTrack(
  shift: HarmShiftMessage,
  { low, high, at }: ReturnType<typeof createScale>,
): HTMLElement {
  const { change, lower, upper } = shift;
  const across = (from: number, to: number) => `left:${from.toFixed(2)}%;width:${(to - from).toFixed(2)}%`;
  const track = html("span", { class: "ts-shift-track", "aria-hidden": "true" });
  track.append(html("i", { class: "ts-shift-zero", style: `left:${at(0).toFixed(2)}%` }));
  if (Number.isFinite(change)) {
    const [from, to] = [at(Math.min(0, change)), at(Math.max(0, change))];
    track.append(html("i", { class: "ts-shift-bar", style: across(from, to) }));
  }
  if (Number.isFinite(lower) && Number.isFinite(upper)) {
    const cut = [lower < low ? "ts-cut-low" : "", upper > high ? "ts-cut-high" : ""].filter(Boolean);
    const whisker = { class: ["ts-whisker", ...cut].join(" "), style: across(at(lower), at(upper)) };
    track.append(html("i", whisker));
  }
  return track;
}

export function createBars(context: Context): Part<State> {
  const { data, signal, choose, metric, moved, id } = context;
  const scale = createScale(data.shifts);
  const lines = data.shifts.map((shift, k) => {
    const { reliability } = shift;
    const level = (LEVELS as readonly string[]).indexOf(reliability);
    const standing = html("span", { class: "ts-shift-standing" }, level === 0 ? "" : reliability);
    if (level >= 0) markLevel(standing, level as Level);
    return html(
      "div",
      {
        class: `ts-shift ts-is-${reliability}`,
        id: id(`shift-${k}`),
        role: "option",
        "aria-selected": "false",
        "data-testid": "shift",
        title: shift.note || undefined,
      },
      html(
        "span",
        { class: "ts-shift-what" },
        createName("ts-shift-name", shift.feature),
        html("span", { class: "ts-quiet ts-shift-moved" }, moved(shift)),
      ),
      createTrack(shift, scale),
      html("span", { class: "ts-number ts-shift-change" }, metric.change(shift.change)),
      standing,
    );
  });
  const list = html(
    "div",
    {
      class: "ts-shifts",
      role: "listbox",
      tabindex: 0,
      "aria-label": `Change of the ${data.message.metric.label}, a bar for each shift`,
      "data-testid": "shifts",
    },
    ...lines,
  );
  const ends = html(
    "p",
    { class: "ts-shift-ends ts-quiet", "aria-hidden": "true" },
    html("span"),
    html("span"),
  );
  const [low, high] = ends.children as unknown as [HTMLElement, HTMLElement];
  low.textContent = metric.change(scale.low);
  high.textContent = metric.change(scale.high);

  let state: State | null = null;
  listen(list, "click", signal, (event) => {
    const line = (event.target as Element).closest<HTMLElement>(".ts-shift");
    if (line) choose(lines.indexOf(line as HTMLDivElement), event);
  });
  listenToKeys(list, signal, (event) => {
    const next = afterKey(event.key, state?.chosen ?? null, lines.length);
    if (next === undefined) return false;
    choose(next, event);
    return true;
  });

  const mark = (place: number | null, chosen: boolean) => {
    const line = place === null ? undefined : lines[place];
    line?.classList.toggle("ts-is-chosen", chosen);
    line?.setAttribute("aria-selected", String(chosen));
  };
  /** Scroll the list, not the page around it. */
  const show = (line: HTMLElement) => {
    const [inner, outer] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  };
  return {
    element: html("div", { class: "ts-shift-list" }, list, ends),
    update(next, before) {
      state = next;
      if (before) mark(before.chosen, false);
      mark(next.chosen, true);
      const line = next.chosen === null ? undefined : lines[next.chosen];
      setAttributes(list, { "aria-activedescendant": line?.id });
      if (line) show(line);
    },
  };
}
