/** The chosen shift in words and numbers, before the bars. */

import { createButton, switchOff } from "../../../marks/button";
import { html, setText, showText } from "../../../marks/element";
import { createStat, type Stat } from "../../../marks/stat";
import { count, isShare } from "../../../theme/formats";
import type { HarmShiftMessage } from "../../../wire/messages";
import { LEVELS, type Level } from "../../../wire/reasons";

import type { Part } from "../../shared/part";
import { HOLD_WORDS } from "../../shared/population_words";
import { markLevel } from "../../shared/reliability";
import { TERMS } from "../../shared/terms";
import { capitalize, rowsOf } from "../../shared/words";
import type { Context } from "./context";
import { elsewhereWords, type State } from "./state";

const UNCHOSEN = "Choose a bar, or use the arrow keys, to move the population there.";

/** Which population the shift makes: "age 38.6 → 43.2 on average". */
export function shiftWords({ moved }: Context, shift: HarmShiftMessage): string {
  return isShare(shift)
    ? `share of ${shift.feature} ${moved(shift)}`
    : `${shift.feature} ${moved(shift)} on average`;
}

/** How far the chosen shift can be relied on, and why. */
export function standingWords({ note }: HarmShiftMessage): string {
  return note ? `${capitalize(note)}.` : "Reliable: the number and its interval can be read.";
}

export function createReadout(context: Context): Part<State> {
  const { data, metric, choose, signal } = context;
  const { message } = data;
  const strong = html("b");
  const rest = html("span", { class: "ts-quiet" });
  const what = html("p", { "data-testid": "population" }, strong, rest);
  const button = createButton({ "data-testid": "reset" }, "Reset", (event) => choose(null, event), signal);
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
