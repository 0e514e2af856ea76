/** The parts of the panel in their places, updated together. */

import { html, listen, setText } from "../../../marks/element";
import { followPresence } from "../../../marks/presence";
import { type FeasibleRange, feasibleRange } from "../../../solve/stress/ranges";
import type { Solve } from "../../../solve/stress/solutions";
import type { Columns } from "../../../wire/columns";
import type { JointNumbersMessage, JointRangesMessage } from "../../../wire/messages";
import { HOLDS, type Hold, isStressed, type Stress, sameStress, withTau } from "../../../wire/shared_stress";
import type { JointStress } from "../../../wire/stress/joint";
import { createAnnouncer } from "../../shared/announcer";
import { type Part as AnyPart, inNextFrame, whileHere } from "../../shared/part";
import { createTitle } from "../../shared/title";
import { counted, rowsOf } from "../../shared/words";
import { createAnswers } from "./answers";
import { type Context, createContext, type Part, type View } from "./context";
import { createDistributions } from "./distributions";
import { createGroupTable } from "./group_table";
import { createLovePlot } from "./love_plot";
import { createMetrics } from "./metrics";
import { createPopulation, type Population } from "./population";
import { createReadout, spokenWords } from "./readout";
import { createSliderList } from "./slider_list";
import type { State } from "./state";

/** Milliseconds without a change before ranges are sought. */
const REST = 120;

/**
 * Where each slider can go while the others stay: found one by one once the sliders have come to rest.
 *
 * @param found called when a feature's range has become known
 */
function createFeasibleRanges(data: JointStress, signal: AbortSignal, found: () => void) {
  const { features } = data.columns.message;
  const known = new Map<number, { readonly others: Stress; readonly range: FeasibleRange }>();
  let present: Stress = { taus: {}, hold: "none" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });

  const others = (feature: number) => withTau(present, features[feature]?.name ?? "", 0);
  const of = (feature: number): FeasibleRange | null => {
    const alone = others(feature);
    if (!isStressed(alone) && present.hold === "none") return { kind: "range", low: -1, high: 1 };
    const kept = known.get(feature);
    return kept && sameStress(kept.others, alone) ? kept.range : null;
  };
  const next = (wanted: readonly number[]) => {
    const feature = wanted.find((one) => of(one) === null);
    if (feature === undefined) return;
    known.set(feature, { others: others(feature), range: feasibleRange(data.columns, present, feature) });
    found();
    timer = setTimeout(next, 0, wanted);
  };
  return {
    /** The range that is known for the present stress, or null. */
    of,
    /** The stress has changed, or other features are listed: seek what is not known yet. */
    seek(stress: Stress, wanted: readonly number[]) {
      present = stress;
      clearTimeout(timer);
      if (data.outcomes && wanted.some((feature) => of(feature) === null))
        timer = setTimeout(next, REST, wanted);
    },
    receive(message: JointRangesMessage | null) {
      if (!message || !sameStress(message.stress, present)) return;
      features.forEach(({ name }, feature) => {
        const ends = Object.hasOwn(message.ranges, name) ? message.ranges[name] : undefined;
        if (ends === undefined) return;
        const range: FeasibleRange = ends ? { kind: "range", low: ends[0], high: ends[1] } : { kind: "none" };
        known.set(feature, { others: others(feature), range });
      });
      found();
    },
  };
}

const CHOICES: Record<Hold, readonly [label: string, meaning: string]> = {
  none: ["follow along", "They go where their correlation takes them, as near to the data as can be."],
  means: [
    "keep their means",
    "Their means and shares stay: what is left is the effect of the moved ones alone.",
  ],
  uncorrelated: [
    "stay, uncorrelated",
    "Their means stay and their covariances with every moved feature become 0.",
  ],
};
const NAMED = 4;

/** What the other features do while some are moved. */
function createHoldPicker({ features, intend, signal }: Context): Part {
  const group = `ts-hold-${Math.random().toString(36).slice(2)}`;
  const boxes = HOLDS.map((hold) => {
    const [label, meaning] = CHOICES[hold];
    const box = html("input", {
      type: "radio",
      name: group,
      value: hold,
      "data-testid": `hold-${hold}`,
    });
    return { hold, box, element: html("label", { title: meaning }, box, ` ${label}`) };
  });
  const free = features.filter(({ held }) => !held).map(({ name }) => name);
  const words = html("p", { class: "ts-quiet" });
  const element = html(
    "fieldset",
    { class: "ts-hold" },
    html("legend", {}, "The other features"),
    ...boxes,
    words,
  );
  let stress: Stress = { taus: {}, hold: "none" };
  for (const { hold, box } of boxes) {
    listen(box, "change", signal, (event) => intend({ stress: { taus: stress.taus, hold } }, event));
  }
  return {
    element,
    update({ state }) {
      stress = state.stress;
      for (const { hold, box } of boxes) box.checked = hold === stress.hold;
      const left =
        free.length > NAMED
          ? `${free.slice(0, NAMED).join(", ")} and ${free.length - NAMED} more`
          : free.join(", ");
      const rare = stress.hold !== "none" && free.length > 0 ? ` Left free, as rare: ${left}.` : "";
      setText(words, CHOICES[stress.hold][1] + rare);
    },
  };
}

export interface Panel extends AnyPart<State> {
  /** What the kernel has sent: an answer, or ranges. */
  receive(answer: JointNumbersMessage | null, ranges: JointRangesMessage | null): void;
}

/** What the panel is made of, to be put in places. */
export interface Pieces {
  readonly title: HTMLElement;
  readonly population: Population;
  readonly aside: HTMLElement;
  readonly main: HTMLElement;
  readonly far: HTMLElement;
  readonly announcer: HTMLElement;
}

/** Told of what is shown each time it changes. */
export type Watch = (context: Context, view: View) => void;

/** Puts the pieces where they are seen, `main` and `far` in one place; what it returns goes into the root. */
export type Place = (pieces: Pieces) => HTMLElement;

const inOnePanel: Place = ({ title, population, aside, main, far, announcer }) =>
  html("div", { class: "ts-joint-panel" }, title, population, aside, main, far, announcer);

/** How the panel stands in a view around it. */
export interface Surroundings {
  /** Where its pieces stand; by default one panel. */
  readonly place?: Place;
  /** What is said while nothing is moved. */
  readonly atRest?: string | undefined;
  readonly watch?: Watch;
  /** How stresses are solved on its columns; by default for itself alone. */
  readonly solveOn?: ((columns: Columns) => Solve) | undefined;
}

export function createPanel(
  data: JointStress,
  actions: Pick<Context, "signal" | "intend" | "gone">,
  { place = inOnePanel, atRest, watch, solveOn }: Surroundings = {},
): Panel {
  const answers = createAnswers(data, solveOn);
  const ranges = createFeasibleRanges(data, actions.signal, () => mark());
  const context = createContext(data, { ...actions, range: ranges.of });
  const population = createPopulation(context, atRest);
  const list = createSliderList(context, () => {
    if (!last) return;
    list.followers.update(last, last);
    ranges.seek(last.state.stress, list.shown());
  });
  const followers = inNextFrame(list.followers, actions.signal);
  const main = html("div", { class: "ts-joint-main" });
  const presence = followPresence(main, actions.signal);
  const later = (part: Part) => inNextFrame(whileHere(part, presence), actions.signal);
  const readout = whileHere(createReadout(context), presence);
  const metrics = later(createMetrics(context));
  const groups = later(createGroupTable(context));
  const love = later(createLovePlot(context));
  const distributions = later(createDistributions(context));
  const hold = createHoldPicker(context);
  const announcer = createAnnouncer(actions.signal, (view: View) =>
    [`${population.spoken()}.`, spokenWords(context, view)].filter(Boolean).join(" "),
  );
  const below = [readout, metrics, groups, love];
  const parts: readonly Part[] = [population, list, followers, hold, ...below, distributions, announcer];
  const mark = () => {
    list.mark();
    population.mark();
  };
  const { n_rows } = data.columns.message;
  const size = `${rowsOf(n_rows)} · ${counted(context.features.length, "feature")}`;
  let last: View | null = null;
  const aside = html("div", { class: "ts-joint-aside" }, hold, list);
  main.append(...below.map(({ element }) => element));
  const far = html("div", { class: "ts-joint-far" }, distributions);
  return {
    element: place({
      title: createTitle(data.message.title || "Joint stress", size),
      population,
      aside,
      main,
      far,
      announcer: announcer.element,
    }),
    update(state) {
      const view = { state, answer: answers.of(state.stress) };
      ranges.seek(state.stress, list.shown());
      for (const part of parts) part.update(view, last);
      ranges.seek(state.stress, list.shown());
      last = view;
      watch?.(context, view);
    },
    receive(answer, found) {
      answers.receive(answer);
      ranges.receive(found);
    },
  };
}
