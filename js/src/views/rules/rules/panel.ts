/** The parts of the panel in their places, updated together. */

import { createButton } from "../../../marks/button";
import { type Attributes, html, listen, reconcile, setText, showText } from "../../../marks/element";
import { tickStep } from "../../../marks/ticks";
import { quantityFormat } from "../../../theme/formats";
import type { RulesMessage, SameMessage } from "../../../wire/messages";
import type { Answer } from "../../../wire/rules/rules";
import { createAnnouncer } from "../../shared/announcer";
import { createLate, lateWords, rowWords } from "../../shared/late";
import { memoize } from "../../shared/memoize";
import { grouped } from "../../shared/part";
import { createRowStepper } from "../../shared/row_stepper";
import { createTitle } from "../../shared/title";
import { createBarLine } from "./bar_line";
import { createBrackets } from "./brackets";
import type { Context, Part, View } from "./context";
import { createDial } from "./dial";
import { createDistribution } from "./distribution";
import { createNumbers, numbersWords } from "./numbers";
import { createRowsInside } from "./rows_inside";
import { aimed } from "./state";
import { createStress, stressWords } from "./stress";
import { createSubsets } from "./subsets";
import { ruleWords } from "./words";

/** Steps of the slider, about. */
const SLIDER_STEPS = 100;

/** √t in few digits: what a person typed, or what the kernel found. */
export function reachOf(t: number): number {
  return Number(Math.sqrt(t).toPrecision(5));
}

/** Half the range of the forest's rows, beyond which all count as the same. */
export function widest({ lowest, highest }: SameMessage, reach: number): { high: number; step: number } {
  const half = Math.max((highest - lowest) / 2, reach) || 1;
  const step = tickStep(0, half, SLIDER_STEPS);
  return { high: Number((step * Math.ceil(half / step - 1e-9)).toPrecision(12)), step };
}

/** Which values of a regression count as the same: within how much of the prediction; asked of the kernel. */
function createTolerance({ intend, signal }: Context, attributes: Attributes): Part {
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

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The minimal sets, of which one is shown: a group of buttons; arrow keys choose. */
function createChips({ intend, signal }: Context): Part {
  const group = html("div", {
    class: "ts-chips",
    role: "radiogroup",
    "aria-label": "Minimal sets of features",
    "data-testid": "sets",
  });
  const more = html("p", { class: "ts-quiet", "data-testid": "more" });
  const choose = (rule: number, event: Event) => intend({ rule, moved: null }, event);
  const chipOf = memoize((rule: number) => {
    const chip = createButton({ role: "radio", class: "ts-chip" }, [], signal, (event) =>
      choose(rule, event),
    );
    return chip;
  });
  let [at, n] = [0, 0];
  listen(group, "keydown", signal, (event) => {
    const by = STEPS[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = (at + by + n) % n;
    choose(next, event);
    chipOf(next).focus();
  });
  const title = html("h3", {}, "Values that suffice");
  const element = html("section", { class: "ts-sets", "aria-label": "Minimal sets" }, title, group, more);
  return {
    element,
    update({ answer, place, stale, stress }) {
      [at, n] = [place, answer.rules.length];
      element.hidden = n === 0;
      element.classList.toggle("ts-is-stale", stale);
      const chips = answer.rules.map(({ name }, rule) => {
        const chip = chipOf(rule);
        const below = (stress.now?.rules[rule]?.below ?? "") !== "";
        setText(chip, below ? `${name} (below π)` : name);
        chip.classList.toggle("ts-is-below", below);
        chip.setAttribute("aria-checked", String(rule === place));
        chip.tabIndex = rule === place ? 0 : -1;
        return chip;
      });
      reconcile(group, chips);
      showText(more, answer.more);
    },
  };
}

function lateWordsOf(message: RulesMessage, { state, progress }: View): string {
  const within = state.t === null ? "" : ` within ± ${reachOf(state.t)}`;
  return lateWords(
    message,
    `${rowWords(state.row)} at π = ${state.pi}${within}`,
    progress,
    "There are no rules",
  );
}

/** What was found, before anything else: the rule as a sentence, or the set that comes nearest; and why it is late. */
function headlineWords({ answer, shown }: View): string {
  return shown ? ruleWords(answer.answer, shown) : answer.status;
}

/** @returns the headline; while another search is under way, with a button that goes back to what is shown */
function createHeadline({ message, intend, signal }: Context): Part {
  const sentence = html("p", { "data-testid": "headline" });
  const status = html("p", { class: "ts-quiet", "data-testid": "status" });
  const late = createLate();
  const cancel = createButton({ "data-testid": "cancel" }, "Cancel", signal, (event) => {
    if (!shownNow) return;
    const { row, pi, same } = shownNow;
    intend({ row, pi, t: same?.t ?? null, sliding: null }, event);
  });
  const element = html("header", { class: "ts-headline" }, sentence, status, ...late.elements, cancel);
  let shownNow: View["answer"] | null = null;
  return {
    element,
    update(view) {
      const { answer, shown, stale, progress } = view;
      shownNow = answer;
      cancel.hidden = !stale || !message.live;
      setText(cancel, progress?.error ? "Back" : "Cancel");
      setText(sentence, headlineWords(view));
      setText(status, shown ? answer.status : "");
      status.hidden = !shown;
      element.classList.toggle("ts-is-found", answer.reached);
      element.classList.toggle("ts-is-stale", stale);
      const words = stale ? lateWordsOf(message, view) : "";
      late.update(words, answer.row, (progress?.error ?? "") !== "");
    },
  };
}

/** Which row is explained, how probable its decision has to stay, and what counts as it; asked of the kernel. */
function createPicker(context: Context): Part {
  const { message, intend, signal } = context;
  let chosen = 0.95;
  const attributes = { disabled: !message.live, title: message.live ? undefined : message.offline };
  const stepper = createRowStepper(message, signal, (row, event) =>
    intend({ row, rule: 0, moved: null }, event),
  );
  const pi = createDial(signal, {
    name: "π, least same-decision probability",
    testid: "pi",
    box: { min: 0.01, max: 1, step: 0.01 },
    attributes,
    allows: (value) => value > 0 && value <= 1,
    slide: (value, event) => intend({ sliding: { pi: value } }, event),
    commit: (value, event) =>
      intend(
        value === chosen ? { sliding: null } : { pi: value, sliding: null, rule: 0, moved: null },
        event,
      ),
  });
  const tolerance = createTolerance(context, attributes);
  const why = html("span", { class: "ts-quiet", "data-testid": "offline" }, message.offline);
  why.hidden = message.live;
  const line = html(
    "div",
    { class: "ts-row-line" },
    ...stepper.elements,
    html("span", { class: "ts-dialled" }, html("label", {}, "π ", pi.box), pi.slider),
    tolerance,
    why,
  );
  return {
    element: line,
    update(view, previous) {
      chosen = view.state.pi;
      stepper.update(view.state.row);
      const { pi: value } = aimed(view.state);
      const spoken = `π = ${value}`;
      pi.update({ value, low: 0.5, high: 1, step: 0.01, rest: view.answer.pi, spoken });
      tolerance.update(view, previous);
    },
  };
}

/** In which share of the sufficient sets each feature is. */
function createImportance(_: Context): Part {
  const list = html("ul", { class: "ts-bars", "data-testid": "importance" });
  const element = html(
    "section",
    { "aria-label": "Importance" },
    html("h3", {}, "Share of the sufficient sets each feature is in"),
    list,
  );
  let drawn: Answer | null = null;
  return {
    element,
    update({ answer, stale }) {
      element.hidden = answer.importance.length === 0;
      element.classList.toggle("ts-is-stale", stale);
      if (drawn === answer) return;
      drawn = answer;
      list.replaceChildren(...answer.importance.map(({ name, share }) => createBarLine(name, share)));
    },
  };
}

/** What a screen reader is told once the view has come to rest. */
export function spokenWords(view: View): string {
  if (view.stale) return view.progress?.doing ?? "";
  return [headlineWords(view), stressWords(view), numbersWords(view)].filter(Boolean).join(" ");
}

function createNotes(): Part {
  const element = html("div", { class: "ts-notes ts-quiet", "data-testid": "notes" });
  return {
    element,
    update({ answer, stale }) {
      element.classList.toggle("ts-is-stale", stale);
      const notes = answer.notes.map((note, k) => {
        const line = element.children[k] ?? html("p");
        setText(line, note);
        return line;
      });
      element.replaceChildren(...notes);
    },
  };
}

/** Of what is drawn without the stress, that it is. */
function createUnweighted(): Part {
  const text = "From here on, as in the headline: the data as they are, without the stress.";
  const element = html("p", { class: "ts-unweighted ts-quiet", "data-testid": "unweighted" }, text);
  return {
    element,
    update({ stress }) {
      element.hidden = stress.now === null;
    },
  };
}

export function createPanel(context: Context): Part {
  const side = (where: "ts-main" | "ts-side", ...own: Part[]) => grouped("div", { class: where }, ...own);
  return grouped(
    "div",
    { class: "ts-rules-panel" },
    createTitle(context.message.title, context.message.model),
    createPicker(context),
    createStress(context),
    createHeadline(context),
    side("ts-main", createChips(context), createBrackets(context)),
    side("ts-side", createNumbers(context)),
    createUnweighted(),
    side("ts-main", createSubsets(context)),
    side("ts-side", createDistribution(context), createImportance(context)),
    createRowsInside(context),
    createNotes(),
    createAnnouncer(context.signal, spokenWords),
  );
}
