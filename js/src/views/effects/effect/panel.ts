/** The parts of the panel in their places, updated together. */

import { createButton } from "../../../marks/button";
import { html, listen, setText, showText } from "../../../marks/element";
import { createTerm } from "../../../marks/term";
import { count } from "../../../theme/formats";
import { type EffectMessage, isAccumulated, kindLabel } from "../../../wire/effects/effect";
import { levelOf } from "../../../wire/reasons";
import { UNSTRESSED } from "../../../wire/shared_stress";
import { createAnnouncer } from "../../shared/announcer";
import { createNotes, groupRowsWords } from "../../shared/estimates";
import { listenToKeys } from "../../shared/keys";
import { grouped } from "../../shared/part";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { judgeWeights, markLevel, reliabilityWords } from "../../shared/reliability";
import { keyTarget } from "../../shared/slider_keys";
import { stressSentence } from "../../shared/stress_shown";
import { TERMS } from "../../shared/terms";
import { createTitle } from "../../shared/title";
import type { Sentence } from "../../shared/words";
import { createAttack } from "./attack";
import { createChart } from "./chart";
import type { Context, Part, View } from "./context";
import type { DerivedView } from "./derive_view";
import { createLegend } from "./legend";
import { createPickers } from "./pickers";
import { differenceFormat, gapWords, placeWords, spokenWords } from "./reading";
import { breakdownWords, movedWords, shareBelowWords, shareWords, titleOf } from "./words";

/** Where a distance lies on the slider, in steps. */
function along(steps: readonly number[], distance: number): number {
  const after = steps.findIndex((step) => step >= distance);
  if (after <= 0) return after < 0 ? steps.length - 1 : 0;
  const [low, high] = [steps[after - 1] as number, steps[after] as number];
  return after - 1 + (distance - low) / (high - low);
}

/** The slider of the distance: how much of the rows' weight may move. */
function createEpsilon({ message, intend, signal }: Context): Part {
  const steps = message.epsilons;
  const last = steps.length - 1;
  const value = html("b", { class: "ts-number", "data-testid": "epsilon-value" });
  const slider = html("input", {
    type: "range",
    min: 0,
    max: last,
    step: "any",
    "aria-label": "ε: share of the rows that may be replaced",
    "data-testid": "epsilon",
  });
  slider.style.setProperty("--ts-zero", "0");
  const mark = html("span", { class: "ts-breakdown-mark", "aria-hidden": "true" });
  const words = html("span", { class: "ts-breakdown-word ts-quiet" });
  const track = html("div", { class: "ts-epsilon-track" }, slider, mark, words);
  const box = html("input", { type: "checkbox", "data-testid": "follow" });
  const follow = html("label", { class: "ts-follow" }, box, " the stress's own distance, exactly");
  const question = html(
    "span",
    {},
    createTerm("ε", TERMS.epsilon, signal),
    ": allow this share of rows to be replaced",
  );
  const head = html("div", { class: "ts-epsilon-head" }, question, value);
  const why = html("p", { class: "ts-quiet", "data-testid": "epsilon-fixed" });
  const element = html("div", { class: "ts-epsilon" }, head, track, why, follow);
  let position = 0;
  const move = (epsilon: number, event: Event) => intend({ epsilon, follow: false }, event);
  listen(slider, "input", signal, (event) => move(Math.round(slider.valueAsNumber), event));
  const press = (event: KeyboardEvent) => {
    const next = event.key === "Enter" ? null : keyTarget(event.key, position, last, 20);
    if (next !== null) move(next, event);
    return next !== null;
  };
  listenToKeys(slider, signal, press);
  listen(box, "change", signal, (event) => intend({ follow: box.checked }, event));

  return {
    element,
    update({ state, shown }) {
      showText(why, shown.fixed);
      slider.disabled = shown.fixed !== "";
      // a band that is still an earlier one's says its own distance in the legend
      const chosen = shown.fixed ? shown.distance : (steps[state.epsilon] as number);
      const at = shown.exactly || shown.fixed ? along(steps, shown.distance) : state.epsilon;
      position = Math.round(at);
      slider.value = String(at);
      slider.style.setProperty("--ts-to", String(at / last));
      const said = shown.fixed && !shown.bounds ? "none" : shareWords(chosen);
      const exact = shown.exactly ? `${(100 * shown.distance).toFixed(1)} %` : said;
      const stressWords = isAccumulated(shown.part.kind)
        ? "each bin's, as the stress"
        : `${exact}, the stress's`;
      setText(value, shown.exactly ? stressWords : said);
      slider.setAttribute("aria-valuetext", shown.fixed || `${exact} of the rows`);
      box.checked = state.follow;
      follow.hidden = !shown.moved || !(shown.moved.possible > 0);
      const turning = shown.part.breakdowns[shown.output]?.epsilon ?? null;
      mark.hidden = words.hidden = turning === null || turning === 0;
      track.classList.toggle("ts-can-turn", !mark.hidden);
      if (turning === null || turning === 0) return;
      const share = along(steps, turning) / last;
      for (const one of [mark, words]) one.style.setProperty("--ts-at", String(share));
      setText(words, `direction can turn from ${shareBelowWords(turning)}`);
    },
  };
}

/** Milliseconds without a word before the page says so. */
const PATIENCE = 8000;

function chosenWords(message: EffectMessage, { state }: View): string {
  return `${kindLabel(message, state.kind)} on ${state.features.join(" and ")}`;
}

/** What the kernel is at, with a way to stop it; what went wrong; and that it has not answered. */
function createProgress({ message, intend, signal, stop }: Context): Part {
  const words = html("span");
  const bar = html("progress", { max: 1, "aria-hidden": "true" });
  const cancel = createButton({ "data-testid": "cancel" }, "Cancel", signal, (event) => back(event));
  const element = html(
    "div",
    { class: "ts-progress", role: "status", "data-testid": "progress" },
    words,
    bar,
    cancel,
  );
  let view: View | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });

  const back = (event: Event) => {
    stop();
    if (!view || view.shown.chosen) return;
    const { part } = view.shown;
    intend({ features: part.features, kind: part.kind, compared: [] }, event);
  };

  return {
    element,
    update(now) {
      const { progress, shown } = now;
      const waits = !shown.chosen && !progress.error;
      if (!waits || progress.doing || view?.shown.chosen !== false) clearTimeout(timer);
      view = now;
      element.classList.toggle("ts-failed", progress.error !== "");
      bar.hidden = progress.doing === "" || progress.total === 0;
      bar.value = progress.total > 0 ? progress.done / progress.total : 0;
      cancel.hidden = shown.chosen && progress.doing === "";
      setText(cancel, progress.error ? "Back" : "Cancel");
      if (progress.error) setText(words, `There is no ${chosenWords(message, now)}: ${progress.error}`);
      else if (progress.doing) {
        const far = progress.total > 0 ? `, ${count(progress.done)} of ${count(progress.total)}` : "";
        setText(words, `${progress.doing}${far}…`);
      } else if (!shown.chosen) {
        setText(
          words,
          `The kernel is asked for the ${chosenWords(message, now)}; grey is the ${kindLabel(message, shown.part.kind)} on ${shown.part.features.join(" and ")}…`,
        );
        timer = setTimeout(() => {
          setText(
            words,
            `No answer yet for the ${chosenWords(message, now)}: the kernel is busy, or this page has none.`,
          );
        }, PATIENCE);
      } else setText(words, "");
      element.hidden = words.textContent === "" || !message.live;
    },
  };
}

/** How far the effect can be relied on, in words: the breakdown, what the stress did, what must be known. */
function createReliability({ message }: Context): Part {
  const strong = html("b");
  const rest = html("span");
  const direction = html("p", { "data-testid": "breakdown" }, strong, rest);
  const moved = html("p", { class: "ts-moved-words", "data-testid": "moved" });
  const why = html("b");
  const causes = html("span");
  const doubt = html("p", { "data-testid": "doubt" }, why, causes);
  const notes = html("ul", { class: "ts-notes ts-quiet" });
  const element = html("div", { class: "ts-trust-words" }, direction, moved, doubt, notes);
  let noted: unknown = null;
  return {
    element,
    update({ shown }) {
      const { part, output } = shown;
      const words = breakdownWords(part, part.breakdowns[output] ?? null);
      setText(strong, words.strong);
      setText(rest, words.rest);
      direction.hidden = words.strong === "";
      const unbounded = shown.unbounded && `There is no band to show: ${shown.unbounded}.`;
      showText(moved, movedWords(shown, differenceFormat(message, shown)) || unbounded);
      moved.classList.toggle("ts-is-stale", shown.stale);
      const { df, pareto_k, carriers } = shown.population;
      const judged = judgeWeights(message.reliability, df, pareto_k, carriers);
      const level = levelOf(message.reliability, judged.reason);
      const doubtful = shown.moved !== null && level > 0;
      const said = reliabilityWords(message.reliability, [], judged, true, message.n_rows);
      markLevel(doubt, level);
      setText(why, doubtful ? said.strong : "");
      setText(causes, doubtful ? said.rest : "");
      doubt.hidden = !doubtful;
      if (noted === part) return;
      noted = part;
      notes.replaceChildren(...part.notes.map((note) => html("li", {}, note)));
      notes.hidden = part.notes.length === 0;
    },
  };
}

const WORDS = { doing: "weights the rows", first: "weights the rows", instead: "" };

function sentence({ population, stale }: DerivedView, nRows: number): Sentence {
  const { stressed, problem, words } = population;
  if (problem) {
    const why = problem.replace(/\.$/, "");
    return {
      strong: "none.",
      rest: ` The stress cannot be shown: ${why}. The picture is of the data as they are.`,
    };
  }
  return stressSentence({ now: stressed ? { words } : null, late: stale, problem }, nRows, WORDS);
}

/** The population in words and how far it was moved, before the picture. */
function createPopulation({ message, intend, signal }: Context): Part {
  const header = createPopulationHeader(message.n_rows, signal, (event) =>
    intend({ stress: UNSTRESSED }, event),
  );
  const { element, stats: facts, tail, reset } = header;
  return {
    element,
    update({ shown }) {
      const { population, stale } = shown;
      const { stressed, problem } = population;
      element.classList.toggle("ts-is-stressed", stressed && !problem);
      element.classList.toggle("ts-is-stale", stale);
      header.sentence.classList.toggle("ts-notice", problem !== "");
      facts.hidden = problem !== "";
      tail.hidden = !stressed && Number.isNaN(population.pareto_k);
      reset.hidden = !stressed && !stale;
      header.say(sentence(shown, message.n_rows));
      header.measure(population, stressed || stale || problem ? null : linkedHint(message.live));
    },
  };
}

/** Why no groups are shown, or what keeps from them; "" where they are those of the population shown. */
function words(live: boolean, { state, shown }: View): string {
  const { groups, groupsLate } = shown;
  const { by } = state;
  if (groups?.error) return groups.error;
  if (!live && !groups) return `Groups by ${by} of this effect are not in this copy, which has no kernel.`;
  if (!groupsLate && groups) return "";
  if (live) return `The kernel computes the curves of groups by ${by}…`;
  return groups?.kept ?? "";
}

/** Groups of the rows: what is shown of them, how many rows of each count, and where they are farthest apart. */
function createGroupWords({ message }: Context): Part {
  const note = html("p", { "aria-live": "polite", "data-testid": "group-note" });
  const rows = html("p", { "data-testid": "group-rows" });
  const apart = html("p", { "data-testid": "group-gap" });
  const notes = createNotes();
  const element = html("div", { class: "ts-quiet ts-by-group" }, note, apart, rows, notes);
  return {
    element,
    update(view) {
      const { state, shown } = view;
      const { groups, part, output } = shown;
      element.hidden = state.by === "" || part.axes.length === 2;
      setText(note, element.hidden ? "" : words(message.live, view));
      const numbered = part.axes[0]?.kind === "levels";
      const all = groups?.groups ?? [];
      const names = all.map(({ label }, k) => (numbered ? `${k + 1} ${label}` : label));
      setText(rows, all.length > 0 ? groupRowsWords(names, all) : "");
      const far = groups?.widest[output] ?? -1;
      setText(
        apart,
        far < 0 ? "" : `Farthest apart at ${placeWords(shown, far)}: ${gapWords(message, shown, far)}.`,
      );
      notes.show(groups?.notes ?? []);
    },
  };
}

export function createPanel(context: Context): Part {
  const epsilon = createEpsilon(context);
  const twoWords = html(
    "p",
    { class: "ts-quiet", "data-testid": "two-words" },
    "Of two features no band is drawn: choose one to see how far its effect can be bent.",
  );
  const side = grouped<View>(
    "section",
    { class: "ts-side", "aria-label": "How far can it be bent?" },
    html("h3", {}, "How far can it be bent?"),
    createReliability(context),
    twoWords,
    epsilon,
    createLegend(context),
    createAttack(context),
  );
  const middle = [createPickers, createProgress, createChart, createGroupWords];
  const { element, update } = grouped<View>(
    "div",
    { class: "ts-effect-panel" },
    createTitle(...titleOf(context.message)),
    createPopulation(context),
    grouped("section", { class: "ts-main" }, ...middle.map((create) => create(context))),
    side,
    createAnnouncer(context.signal, (view: View) => spokenWords(context.message, view)),
  );
  return {
    element,
    update(view, before) {
      const two = view.shown.part.axes.length === 2;
      epsilon.element.hidden = two;
      twoWords.hidden = !two;
      update(view, before);
    },
  };
}
