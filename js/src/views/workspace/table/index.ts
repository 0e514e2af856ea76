/**
 * The widget of the study's rows: searched, sorted and filtered in the page where they came along, else by the kernel,
 * which also weighs them under the stress that views share.
 */

import type { RowTableViewTraits } from "../../../wire/messages";
import "./style.css";
import { html } from "../../../marks/element";
import { sameStress, stressTrait, UNSTRESSED } from "../../../wire/shared_stress";
import {
  ANSWERS,
  DATA,
  decodeInside,
  decodeListed,
  decodeSampled,
  decodeTable,
  decodeWeighed,
  type Weighed,
} from "../../../wire/workspace/table";
import { createAnnouncer } from "../../shared/announcer";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived, grouped } from "../../shared/part";
import { createPopulationHeader, linkedHint } from "../../shared/population";
import { NO_CAVEAT } from "../../shared/reliability";
import { markStressed, stressSentence } from "../../shared/stress_shown";
import { createTitle } from "../../shared/title";
import { createView, type Stage } from "../../shared/view";
import type { Context, Part } from "./context";
import { createViewDeriver, type DerivedView } from "./derive_view";
import { createGrid } from "./grid";
import { listedText, offerListed } from "./listed_text";
import { createScatter } from "./scatter";
import { CHOICES, changed, type State, stateFromTraits } from "./state";
import { createToolbar } from "./toolbar";
import { spokenWords } from "./words";

const WORDS = {
  doing: "weighs the rows",
  first: "weighs the rows under the stress",
  instead: "The weights are those of the data as they are.",
};

/** Which population the rows are weighed in: in words, and in how far it was moved. */
function createPopulation({ data, intend, signal }: Context): Part {
  const { n_rows, weighted, ess, pareto_k } = data.message;
  const header = createPopulationHeader(n_rows, signal, (event) => intend({ stress: UNSTRESSED }, event));
  const asTested = { ess, kl: 0, tv: 0, pareto_k };
  return {
    element: header.element,
    update({ stress }) {
      const { now, late, problem } = stress;
      markStressed(header, now !== null, late, problem);
      header.stats.hidden = problem !== "";
      header.tail.hidden = now === null && !weighted;
      header.reset.hidden = now === null && !late && problem === "";
      header.say(stressSentence(stress, n_rows, WORDS));
      header.measure(now ?? asTested, now || late || problem ? null : linkedHint(data.message.live));
      header.judge(now?.doubt ?? NO_CAVEAT);
    },
  };
}

const KEYS =
  "Click a row, or walk with the arrow keys, to look at it in linked views. Select more with Ctrl or Shift and a click, " +
  "with the space bar, or Shift and the arrow keys.";

/** The parts of the panel in their places, updated together. */
function createPanel(context: Context): Part {
  const { message } = context.data;
  const [grid, scatter] = [createGrid(context), createScatter(context)];
  const keys = html("p", { class: "ts-quiet ts-gloss" }, KEYS);
  const { element, update } = grouped<DerivedView>(
    "div",
    { class: "ts-table-panel" },
    createTitle(message.title, message.model),
    createPopulation(context),
    createToolbar(context),
    grid,
    keys,
    scatter,
    ...message.notes.map((note) => html("p", { class: "ts-quiet ts-gloss" }, note)),
    createAnnouncer(context.signal, (view: DerivedView) =>
      [scatter.spoken(), spokenWords(view, message)].filter(Boolean).join(". "),
    ),
  );
  return {
    element,
    update(view, before) {
      const isScatter = view.state.display === "scatter";
      grid.element.hidden = keys.hidden = isScatter;
      scatter.element.hidden = !isScatter;
      update(view, before);
    },
  };
}

const PLAIN = ["row", "search", "filter", "sort", "descending", "start", "display", "x", "y"] as const;

/** Where weights under the stress come from besides the kernel. */
export interface WeightSource {
  /** Whether an answer to every stress comes from here. */
  solves(): boolean;
  /** What is known now, of whatever stress; null where there is nothing. */
  weighed(): Weighed | null;
  onChange(call: () => void, signal: AbortSignal): void;
}

function mount(stage: Stage<RowTableViewTraits>, source: WeightSource | undefined): void {
  const { traits, signal } = stage;
  const data = decodeTable(traits.pick(DATA));
  // the page's own weights are there first, and without a kernel
  const weighed = () => {
    const here = data.columns ? source?.weighed() : null;
    if (here && sameStress(here.stress, stressTrait(traits.get("stress")))) return here;
    return decodeWeighed(data.message, traits.pick(ANSWERS));
  };
  const read = () => ({
    weighed: weighed(),
    listed: data.columns ? null : decodeListed(data.message, traits.pick(ANSWERS)),
    inside: decodeInside(traits.pick(ANSWERS)),
    sampled: data.columns ? null : decodeSampled(data.message, traits.pick(ANSWERS)),
  });
  let answers = read();
  const derive = createViewDeriver(
    data,
    () => answers,
    () => source?.solves() ?? false,
  );

  const open = (actions: Actions<State>) => {
    let last: DerivedView | null = null;
    const chooseAll = (event: Event) => {
      const order = last?.listing?.order;
      if (order) actions.intend({ selection: [...order].sort((a, b) => a - b) }, event);
      else traits.set("choose", traits.get("choose") + 1);
    };
    const panel = createPanel({ ...actions, data, chooseAll });
    offerListed(panel.element, () => last && listedText(last, data.message));
    return derived(panel, (state: State) => {
      last = derive(state);
      return last;
    });
  };
  const { repaint } = startLoop<RowTableViewTraits, State>(stage, {
    choices: CHOICES,
    read: () => stateFromTraits(traits.pick(CHOICES)),
    change: changed,
    write(change, state, before) {
      if (change.stress) traits.set("stress", { ...state.stress });
      if (change.selection) traits.set("selection", [...state.selection]);
      for (const name of PLAIN) if (state[name] !== before[name]) traits.set(name, state[name]);
    },
    createPanel: open,
  });

  // an answer is several traits, which come one after another within a frame
  const readAgain = stage.guard(() => {
    answers = read();
    repaint();
  });
  traits.onChange(ANSWERS, oncePerFrame(signal, readAgain));
  source?.onChange(readAgain, signal);
}

export function createTableView(source?: WeightSource) {
  return createView<RowTableViewTraits>({
    root: "ts-row-table",
    data: DATA,
    awaited: "the rows",
    shown: "These rows",
    mount: (stage) => mount(stage, source),
  });
}

export default createTableView();
