/**
 * The widget of the study's rows: searched, sorted and filtered in the page where they came along, else by the kernel,
 * which also weighs them under the stress that views share.
 */

import { sameStress, stressTrait } from "../../../wire/shared_stress";
import {
  ANSWERS,
  DATA,
  decodeInside,
  decodeListed,
  decodeSampled,
  decodeTable,
  decodeWeighed,
  type TableTraits,
  type Weighed,
} from "../../../wire/workspace/table";
import "./style.css";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createView, type Stage } from "../../shared/view";
import { createViewDeriver, type DerivedView } from "./derive_view";
import { listedText, offerListed } from "./listed_text";
import { createPanel } from "./panel";
import { CHOICES, changed, type State, stateFromTraits } from "./state";

const PLAIN = ["row", "search", "filter", "sort", "descending", "start", "display", "x", "y"] as const;

/** Where weights under the stress come from besides the kernel. */
export interface WeightSource {
  /** Whether an answer to every stress comes from here. */
  solves(): boolean;
  /** What is known now, of whatever stress; null where there is nothing. */
  weighed(): Weighed | null;
  onChange(call: () => void, signal: AbortSignal): void;
}

function mount(stage: Stage<TableTraits>, source: WeightSource | undefined): void {
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
  const { repaint } = startLoop<TableTraits, State>(stage, {
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
  traits.onChange(ANSWERS, oncePerFrame(readAgain, signal));
  source?.onChange(readAgain, signal);
}

export function createTableView(source?: WeightSource) {
  return createView<TableTraits>({
    root: "ts-row-table",
    data: DATA,
    awaited: "the rows",
    shown: "These rows",
    mount: (stage) => mount(stage, source),
  });
}

export default createTableView();
