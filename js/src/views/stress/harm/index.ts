/** The widget of shifts of one size: every number it shows came with it; the shared stress is the bar chosen. */

import "./style.css";
import { createButton, switchOff } from "../../../marks/button";
import { createDetails } from "../../../marks/details";
import { html, setText, showText } from "../../../marks/element";
import { createStat, type Stat } from "../../../marks/stat";
import { count, isShare, quantityFormat } from "../../../theme/formats";
import type { HarmShiftMessage, StressHarmViewTraits } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";
import { readStressOrNone } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { startLoop } from "../../shared/loop";
import { grouped, type Part } from "../../shared/part";
import { HOLD_WORDS } from "../../shared/population_words";
import { markLevel } from "../../shared/reliability";
import { TERMS } from "../../shared/terms";
import { createTitle } from "../../shared/title";
import { createView } from "../../shared/view";
import { capitalize, rowsOf } from "../../shared/words";
import { createBars } from "./bars";
import { type Context, createContext } from "./context";
import { decodeStressHarm, elsewhereWords, type State, type StressHarm, stateOf, stressOf } from "./state";

const UNCHOSEN = "Choose a bar, or use the arrow keys, to move the population there.";

/** Which population the shift makes: "age 38.6 → 43.2 on average". */
function shiftWords({ moved }: Context, shift: HarmShiftMessage): string {
  return isShare(shift)
    ? `share of ${shift.feature} ${moved(shift)}`
    : `${shift.feature} ${moved(shift)} on average`;
}

/** How far the chosen shift can be relied on, and why. */
function standingWords({ note }: HarmShiftMessage): string {
  return note ? `${capitalize(note)}.` : "Reliable: the number and its interval can be read.";
}

/** The chosen shift in words and numbers, before the bars. */
function createReadout(context: Context): Part<State> {
  const { data, metric, choose, signal } = context;
  const { message } = data;
  const strong = html("b");
  const rest = html("span", { class: "ts-quiet" });
  const what = html("p", { "data-testid": "population" }, strong, rest);
  const button = createButton({ "data-testid": "reset" }, "Reset", signal, (event) => choose(null, event));
  const change = createStat("change", "change");
  const interval = createStat(`${(100 * message.confidence).toFixed(0)} % interval`, "interval");
  const value = createStat(message.metric.label, "value");
  const ess = createStat("effective rows", "ess", [TERMS.ess, signal]);
  const stats: readonly Stat[] = [change, interval, value, ess];
  const trust = html("p", { "data-testid": "trust" });
  const elsewhere = html("p", { class: "ts-elsewhere ts-notice", "data-testid": "elsewhere" });
  const element = html(
    "header",
    { class: "ts-population" },
    what,
    button,
    html("dl", {}, ...stats),
    trust,
    elsewhere,
  );
  const tell = (shift: HarmShiftMessage) => {
    setText(strong, shiftWords(context, shift));
    setText(rest, `, ${HOLD_WORDS[message.hold]}`);
    change.set(metric.change(shift.change), "");
    const known = Number.isFinite(shift.lower) && Number.isFinite(shift.upper);
    interval.set(known ? `${metric.change(shift.lower)} to ${metric.change(shift.upper)}` : "none", "");
    value.set(metric.pair(message.before, shift.value).join(" → "), "");
    ess.set(count(shift.ess), `of ${count(message.n_rows)}`);
    setText(trust, standingWords(shift));
    markLevel(trust, LEVELS.indexOf(shift.reliability as (typeof LEVELS)[number]) as Level);
  };
  const tellNothing = () => {
    setText(strong, "The data as they are:");
    setText(rest, ` ${rowsOf(message.n_rows)}`);
    change.set("–", "");
    interval.set("–", "");
    value.set(metric.value(message.before), "as tested");
    ess.set(count(message.n_rows), "");
    setText(trust, UNCHOSEN);
    markLevel(trust, 0);
  };
  return {
    element,
    update(state) {
      const shift = state.chosen === null ? undefined : data.shifts[state.chosen];
      element.classList.toggle("ts-is-stressed", shift !== undefined);
      switchOff(button, shift === undefined && elsewhereWords(state) === "");
      if (shift) tell(shift);
      else tellNothing();
      showText(elsewhere, elsewhereWords(state));
    },
  };
}

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

/** The panel of shifts: title, the chosen one in numbers, the bars, those out of reach, what bars and lines are. */
function createPanel(data: StressHarm, actions: Pick<Context, "signal" | "choose">): Part<State> {
  const context = createContext(data, actions);
  const { message } = data;
  const readout = createReadout(context);
  const bars = createBars(context);
  const announcer = createAnnouncer(actions.signal, (state: State) => {
    const shift = state.chosen === null ? undefined : data.shifts[state.chosen];
    if (!shift) return elsewhereWords(state) || "The data as they are";
    const change = `${message.metric.label} ${context.metric.change(shift.change)}`;
    return `${shiftWords(context, shift)}. ${change}. ${standingWords(shift)}`;
  });
  const nothing = html("p", { class: "ts-quiet" }, "No feature can be moved so far.");
  return grouped(
    "section",
    { class: "ts-panel ts-harm-panel", "aria-label": `${message.title}: ${message.size}` },
    createTitle(message.title, message.size),
    readout,
    ...(data.shifts.length > 0 ? [bars, createKey(context)] : [nothing]),
    ...createAway(context),
    html("p", { class: "ts-quiet ts-harm-note" }, `Interval: ${message.interval}.`),
    announcer,
  );
}

export default createView<StressHarmViewTraits>({
  root: "ts-stress-harm",
  data: ["message"],
  awaited: "the shifts",
  shown: "These shifts",
  mount: (stage) => {
    const { traits } = stage;
    const data = decodeStressHarm(traits.get("message"));
    startLoop<StressHarmViewTraits, State>(stage, {
      choices: ["stress"],
      read: () => stateOf(data, readStressOrNone(traits.get("stress"))),
      write: (_, state) => traits.set("stress", state.stress),
      createPanel: ({ signal, intend }) =>
        createPanel(data, {
          signal,
          choose: (chosen, event) => intend({ chosen, stress: stressOf(data, chosen) }, event),
        }),
    });
  },
});
