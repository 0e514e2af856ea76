/** The panel of shifts: title, the chosen one in numbers, the bars, those out of reach, what bars and lines are. */

import { createDetails } from "../../../marks/details";
import { html } from "../../../marks/element";
import { count, quantityFormat } from "../../../theme/formats";
import type { StressHarm } from "../../../wire/stress/harm";
import { createAnnouncer } from "../../shared/announcer";
import type { Part } from "../../shared/part";
import { createTitle } from "../../shared/title";
import { createBars } from "./bars";
import { type Context, createContext } from "./context";
import { createReadout, shiftWords, standingWords } from "./readout";
import { elsewhereWords, type State } from "./state";

const KEY: readonly (readonly [string, string])[] = [
  ["reliable", "reliable"],
  ["wide", "wide: read the interval"],
  ["unreliable", "unreliable"],
];

function createKey({ data }: Context): HTMLElement {
  const seen = KEY.filter(([level]) => data.shifts.some(({ reliability }) => reliability === level));
  const swatches = seen.map(([level, words]) =>
    html("span", {}, html("i", { class: `ts-shift-swatch ts-is-${level}` }), words),
  );
  return html("p", { class: "ts-quiet ts-shift-key" }, ...swatches, html("span", {}, "lines: intervals"));
}

/** The shifts that no weights within τ make, and how far each goes. */
function createAway({ data }: Context): HTMLElement[] {
  if (data.away.length === 0) return [];
  const entries = data.away.map(({ feature, direction, distance }) => {
    const most = quantityFormat("share", distance).value(distance);
    return html("li", {}, html("b", {}, `${feature} ${direction}`), ` moves ${most} of the weight at most`);
  });
  const title = `${count(data.away.length)} cannot be moved so far`;
  return [createDetails(title, html("ul", { "data-testid": "away" }, ...entries))];
}

export function createPanel(data: StressHarm, actions: Pick<Context, "signal" | "choose">): Part<State> {
  const context = createContext(data, actions);
  const { message } = data;
  const readout = createReadout(context);
  const bars = createBars(context);
  const announcer = createAnnouncer((state: State) => {
    const shift = state.chosen === null ? undefined : data.shifts[state.chosen];
    if (!shift) return elsewhereWords(state) || "The data as they are";
    const change = `${message.metric.label} ${context.metric.change(shift.change)}`;
    return `${shiftWords(context, shift)}. ${change}. ${standingWords(shift)}`;
  }, actions.signal);
  const nothing = html("p", { class: "ts-quiet" }, "No feature can be moved so far.");
  const element = html(
    "section",
    { class: "ts-panel ts-harm-panel", "aria-label": `${message.title}: ${message.size}` },
    createTitle(message.title, message.size),
    readout,
    ...(data.shifts.length > 0 ? [bars, createKey(context)] : [nothing]),
    ...createAway(context),
    html("p", { class: "ts-quiet ts-harm-note" }, `Interval: ${message.interval}.`),
    announcer,
  );
  return {
    element,
    update(next, before) {
      readout.update(next, before);
      bars.update(next, before);
      announcer.update(next, before);
    },
  };
}
