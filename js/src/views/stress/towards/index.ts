/** The widget of the way to another population: its amounts come with it, so that the slider waits for nobody. */

import "./style.css";
import { switchOff } from "../../../marks/button";
import { html, setText, showText } from "../../../marks/element";
import { count } from "../../../theme/formats";
import type { Interval } from "../../../wire/buffers";
import type { TargetPopulationMessage, TargetPopulationViewTraits } from "../../../wire/messages";
import { readStressOrNone, type Stress } from "../../../wire/shared_stress";
import { decodeTarget, decodeWay, type Step, stressOf } from "../../../wire/stress/towards";
import { amountWords } from "../../shared/amounts";
import { createAnnouncer } from "../../shared/announcer";
import { createNotes } from "../../shared/estimates";
import { startLoop } from "../../shared/loop";
import { remember } from "../../shared/memoize";
import type { Part } from "../../shared/part";
import { createPopulationHeader } from "../../shared/population";
import { createTitledPanel } from "../../shared/title";
import { createView } from "../../shared/view";
import { createWaySlider } from "../../shared/way_slider";
import { capitalize, rowsOf } from "../../shared/words";
import { createLovePlot } from "./love_plot";
import { createMetrics, metricFormats, metricWords } from "./metrics";
import { elsewhereWords, populationSentence, type State, stateOf, stepOf } from "./state";

/** What most people ask first: how wrong the model is. */
const FIRST = ["error_rate", "rmse"];
const DIFFERENCE = "Difference: expected less observed; beyond chance is judged of all metrics together.";
const AS_TESTED = "Move the slider to go to the other population.";

/** One metric in words, and how far to rely on it; at rest what is expected at the end of the way. */
function headline(message: TargetPopulationMessage, state: State): string {
  const { metrics, before, observed } = message;
  const place = metrics.findIndex(({ name }) => FIRST.includes(name));
  const j = Math.max(0, place);
  const { steps } = state.way;
  const resting = stepOf(state).amount === 0;
  const step = resting ? (steps.at(-1) as Step) : stepOf(state);
  const format = metricFormats(message, state.way)[j];
  if (!format) return "";
  const far = step.amount === 1 ? "all" : `after ${amountWords(step.amount)}`;
  const at = resting ? `${far} of the way ` : "";
  const words = metricWords(format, before[j] as number, step.expected[j] as Interval, observed[j], at);
  return `${capitalize(metrics[j]?.label ?? "")}: ${words}. ${capitalize(step.reasons[j] || "reliable")}.`;
}

function createMissed(): Part<State> {
  const list = html("ul", { "data-testid": "missed" });
  const title = html("h3", { "data-testid": "unmet" });
  const element = html("section", { class: "ts-missed" }, title, list);
  return {
    element,
    update(state) {
      const { met, missed, n_missed } = stepOf(state);
      element.hidden = n_missed === 0;
      setText(title, met);
      const more =
        n_missed > missed.length ? [`and ${count(n_missed - missed.length)} more, in .margins`] : [];
      list.replaceChildren(...[...missed, ...more].map((words) => html("li", {}, capitalize(words))));
    },
  };
}

/**
 * The panel of the way to another population: where it is, what the model does there, and what is not carried over.
 *
 * @param go shows the step at a place
 */
function createPanel(
  message: TargetPopulationMessage,
  go: (at: number, event: Event) => void,
  signal: AbortSignal,
): Part<State> {
  const { title, n_rows, n_new, interval, observed, notes } = message;
  const size = `${rowsOf(n_rows)}${n_new > 0 ? `, ${count(n_new)} new ones` : ""}`;
  const header = createPopulationHeader(n_rows, signal, (event) => go(0, event));
  header.sentence.lastElementChild?.classList.add("ts-when-inside");
  const slider = createWaySlider(
    {
      label: "How much of the way",
      of: `of the way to ${message.there}`,
      typed: `How much of the way to ${message.there}`,
      hint: "A part of the way such as 70 % or 0.7",
      ends: ["as tested", message.there],
    },
    signal,
    go,
  );
  const met = html("p", { class: "ts-quiet", "data-testid": "met" });
  const elsewhere = html("p", { class: "ts-elsewhere ts-notice", "data-testid": "elsewhere" });
  const compared = html("p", { "data-testid": "compared" });
  const first = html("p", { class: "ts-way-headline", "data-testid": "headline" });
  const parts = [createMissed(), createMetrics(message), createLovePlot(message, signal)] as const;
  const [missed, metrics, lovePlot] = parts;
  const announcer = createAnnouncer(
    signal,
    (state: State) => `${capitalize(stepOf(state).population)}. ${headline(message, state)}`,
  );
  const said = createNotes();
  said.show([`Interval: ${interval}.`, ...(observed.length > 0 ? [DIFFERENCE] : []), ...notes]);
  return {
    element: createTitledPanel(
      "ts-estimates-panel ts-towards-panel",
      title,
      size,
      header,
      slider,
      html("div", { class: "ts-way-words" }, first, compared, met, elsewhere),
      missed,
      metrics,
      lovePlot,
      said,
      announcer,
    ),
    update(state, last) {
      const step = stepOf(state);
      const resting = step.amount === 0;
      header.element.classList.toggle("ts-is-stressed", !resting);
      switchOff(header.reset, resting || state.way.steps.length < 2);
      header.say(populationSentence(step));
      header.measure(step, resting ? AS_TESTED : null);
      header.judge({ level: step.level, words: step.doubt });
      slider.update(state, last);
      setText(first, headline(message, state));
      showText(compared, (resting ? (state.way.steps.at(-1) ?? step) : step).compared);
      setText(met, `${step.met}.`);
      met.hidden = step.n_missed > 0;
      showText(elsewhere, elsewhereWords(state, message));
      for (const part of parts) part.update(state, last);
      announcer.update(state, last);
    },
  };
}

export default createView<TargetPopulationViewTraits>({
  root: "ts-towards",
  data: ["message"],
  awaited: "the other population",
  shown: "This population",
  mount: (stage) => {
    const { traits } = stage;
    const message = decodeTarget(traits.get("message"));
    const wayOf = remember((path: unknown) => decodeWay(path, traits.get("numbers"), message));
    const wayNow = () => wayOf(traits.get("path"));
    startLoop<TargetPopulationViewTraits, State>(stage, {
      choices: ["amount", "stress", "path"],
      read: () => stateOf(message, wayNow(), traits.get("amount"), readStressOrNone(traits.get("stress"))),
      write: (_, state) => {
        traits.set("amount", stepOf(state).amount);
        if (!message.unsaid) traits.set("stress", state.stress);
      },
      createPanel: ({ signal, intend }) =>
        createPanel(
          message,
          (at, event) => {
            const step = wayNow().steps[at];
            const stress: Stress | null = step ? stressOf(message, step.amount) : null;
            intend(stress ? { at, stress, elsewhere: false } : { at }, event);
          },
          signal,
        ),
    });
  },
});
