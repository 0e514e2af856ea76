/** One number of a rule: a track over the range of the rows, the span as a bracket of two sliders, the row's mark. */

import { html, listen, setText } from "../../../marks/element";
import type { Side } from "../../../solve/rules/count";
import type { RuleAxisMessage } from "../../../wire/messages";
import { listenToKeys } from "../../shared/keys";
import { keyTarget } from "../../shared/slider_keys";
import { grownSide, ownCell, spanOf, withEdge } from "./state";

type Edge = "lower" | "upper";

/** Steps of a slider, over the range of the rows. */
const WHOLE = 1000;

/** Where a value lies in the range of the rows, in [0, 1]. */
function shareOf({ lowest, highest }: RuleAxisMessage, value: number): number {
  return highest > lowest ? Math.min(1, Math.max(0, (value - lowest) / (highest - lowest))) : 0.5;
}

/** Where an edge of a cell stands on the track; an open one at the track's end. */
function edgeShare(axis: RuleAxisMessage, edge: Edge, cell: number): number {
  const cut = axis.cuts[edge === "lower" ? cell - 1 : cell];
  if (cut === undefined) return edge === "lower" ? 0 : 1;
  return shareOf(axis, cut);
}

/** The cells an edge can be at, so that the row stays inside. */
function reach(axis: RuleAxisMessage, side: Side, edge: Edge): readonly [number, number] {
  const [first, last] = spanOf(side);
  const own = ownCell(axis);
  if (edge === "lower") return [0, own < 0 ? last : own];
  return [own < 0 ? first : own, axis.cuts.length];
}

/** The cell whose edge stands nearest to a place on the track. */
function nearestCell(axis: RuleAxisMessage, side: Side, edge: Edge, share: number): number {
  const [least, most] = reach(axis, side, edge);
  let nearest = least;
  const off = (cell: number) => Math.abs(edgeShare(axis, edge, cell) - share);
  for (let cell = least + 1; cell <= most; cell++) if (off(cell) < off(nearest)) nearest = cell;
  return nearest;
}

/** What an edge says of itself: "≤ 28", "open". */
function edgeWords({ over, up_to, whole }: RuleAxisMessage, edge: Edge, cell: number): string {
  const words = edge === "lower" ? over[cell - 1] : up_to[cell];
  if (words === undefined) return "open";
  return edge === "lower" ? `${whole ? "≥" : ">"} ${words}` : `≤ ${words}`;
}

export interface Control {
  readonly element: HTMLElement;
  update(side: Side): void;
}

/** @param move called with the axis as a person wants it */
export function createEdges(
  axis: RuleAxisMessage,
  signal: AbortSignal,
  move: (side: Side, event: Event) => void,
): Control {
  let side = grownSide(axis);
  const span = html("span", { class: "ts-span", "aria-hidden": "true" });
  const mark = html("span", { class: "ts-own-mark", title: `the row: ${axis.value_words}` });
  mark.hidden = axis.value === null;
  mark.style.setProperty("--ts-at", String(shareOf(axis, axis.value ?? 0)));

  const createHandle = (edge: Edge) => {
    const at = () => spanOf(side)[edge === "lower" ? 0 : 1];
    const handle = html("input", {
      type: "range",
      min: 0,
      max: WHOLE,
      step: "any",
      class: `ts-edge ts-${edge}`,
      "aria-label": `${edge} edge of ${axis.name}`,
      "data-testid": edge,
      "data-feature": axis.name,
    });
    const place = () => {
      handle.value = String(WHOLE * edgeShare(axis, edge, at()));
    };
    const go = (cell: number, event: Event) => {
      if (cell === at()) place();
      else move(withEdge(side, edge, cell), event);
    };
    listen(handle, "input", signal, (event) =>
      go(nearestCell(axis, side, edge, handle.valueAsNumber / WHOLE), event),
    );
    listenToKeys(handle, signal, (event) => {
      if (event.key === "Enter") return false;
      const [least, most] = reach(axis, side, edge);
      const grown = spanOf(grownSide(axis))[edge === "lower" ? 0 : 1];
      const next = keyTarget(event.key, at() - least, most - least, grown - least);
      if (next === null) return false;
      go(least + next, event);
      return true;
    });
    const update = () => {
      place();
      handle.setAttribute("aria-valuetext", edgeWords(axis, edge, at()));
      handle.classList.toggle("ts-is-open", edgeWords(axis, edge, at()) === "open");
    };
    return { handle, update };
  };
  const lower = createHandle("lower");
  const upper = createHandle("upper");
  const track = html("div", { class: "ts-edges" }, span, mark, lower.handle, upper.handle);
  const least = html("span", {}, axis.lowest_words);
  const most = html("span", {}, axis.highest_words);
  const ends = html("div", { class: "ts-ends ts-quiet", "aria-hidden": "true" }, least, most);
  return {
    element: html("div", { class: "ts-track" }, track, ends),
    update(next) {
      side = next;
      const [first, last] = spanOf(side);
      const empty = first > last;
      for (const { handle, update } of [lower, upper]) {
        handle.hidden = empty;
        if (!empty) update();
      }
      span.hidden = empty;
      span.style.setProperty("--ts-from", String(edgeShare(axis, "lower", first)));
      span.style.setProperty("--ts-upto", String(edgeShare(axis, "upper", last)));
      setText(least, axis.lowest_words);
    },
  };
}
