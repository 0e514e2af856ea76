/** Which values of a regression count as the same: within how much of the prediction; asked of the kernel. */

import { type Attributes, html, setText } from "../../../marks/element";
import { tickStep } from "../../../marks/ticks";
import { quantityFormat } from "../../../theme/formats";
import type { SameMessage } from "../../../wire/messages";
import type { Context, Part } from "./context";
import { createDial } from "./dial";
import { aimed } from "./state";

/** Steps of the slider, about. */
const STEPS = 100;

/** √t in few digits: what a person typed, or what the kernel found. */
export function reachOf(t: number): number {
  return Number(Math.sqrt(t).toPrecision(5));
}

/** Half the range of the forest's rows, beyond which all count as the same. */
export function widest({ lowest, highest }: SameMessage, reach: number): { high: number; step: number } {
  const half = Math.max((highest - lowest) / 2, reach) || 1;
  const step = tickStep(0, half, STEPS);
  return { high: Number((step * Math.ceil(half / step - 1e-9)).toPrecision(12)), step };
}

export function createTolerance({ intend, signal }: Context, attributes: Attributes): Part {
  let chosen: number | null = null;
  const squared = (reach: number) => reach * reach;
  const dial = createDial(signal, {
    name: "counts as the same within ±, in the unit of the prediction",
    testid: "t",
    box: { min: 0, step: "any" },
    attributes,
    allows: (reach) => Number.isFinite(reach) && squared(reach) > 0,
    slide: (reach, event) => reach > 0 && intend({ sliding: { t: squared(reach) } }, event),
    commit(reach, event) {
      const same = chosen !== null && reach === reachOf(chosen);
      const change = { t: squared(reach), sliding: null, rule: 0, moved: null };
      intend(same || !(reach > 0) ? { sliding: null } : change, event);
    },
  });
  const given = html("span", { class: "ts-quiet", "data-testid": "interval" });
  const label = html("label", {}, "counts as the same: within ± ", dial.box);
  const both = html("span", { class: "ts-dialled" }, label, dial.slider);
  return {
    element: html("span", { class: "ts-tolerance" }, both, given),
    update({ answer: { same }, state }) {
      chosen = state.t;
      const { t } = aimed(state);
      both.hidden = same === null || t === null;
      given.hidden = same === null || t !== null;
      if (!same) return;
      const write = quantityFormat("value", same.highest - same.lowest, 3).value;
      setText(given, `counts as the same: from ${write(same.low)} to ${write(same.high)}, as given`);
      if (t === null) return;
      const reach = reachOf(t);
      const { high, step } = widest(same, reachOf(chosen ?? t));
      const rest = same.t === null ? reach : reachOf(same.t);
      dial.update({ value: reach, low: step, high, step, rest, spoken: `within ± ${write(reach)}` });
    },
  };
}
