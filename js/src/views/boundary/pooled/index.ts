/**
 * The widget of a pooled boundary: which features carry the decisions of many rows, before and after the stress that
 * views share. Where the rows came along it weighs and pools them itself; else the kernel does.
 */

import type { Solve } from "../../../solve/stress/solutions";
import { DATA, decodePooled, decodePooledAnswer } from "../../../wire/boundary/pooled";
import type { Columns } from "../../../wire/columns";
import { type PooledBoundaryViewTraits, pooledProgressMessage } from "../../../wire/messages";
import { unlessEmpty } from "../../../wire/schema";
import "./style.css";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createView, type Stage } from "../../shared/view";
import { createViewDeriver } from "./derive_view";
import { createPanel } from "./panel";
import { CHOICES, type State, stateFromTraits } from "./state";

const ANSWER = ["answer", "answer_pooled"] as const;

function mount(stage: Stage<PooledBoundaryViewTraits>, solveOn?: (columns: Columns) => Solve): void {
  const { traits, signal } = stage;
  const data = decodePooled(traits.pick(DATA));
  let answer = decodePooledAnswer(data.message, traits.pick(ANSWER));
  const derive = createViewDeriver(data, () => answer, solveOn);

  const raise = (name: "compute" | "stop") => () => traits.set(name, (traits.get(name) ?? 0) + 1);

  const view = (state: State) =>
    derive(state, unlessEmpty(pooledProgressMessage)(traits.get("progress"), "progress"));
  const open = (actions: Actions<State>) =>
    derived(createPanel({ ...actions, data, compute: raise("compute"), stop: raise("stop") }), view);
  const { repaint } = startLoop<PooledBoundaryViewTraits, State>(stage, {
    choices: CHOICES,
    read: () => stateFromTraits(traits.pick(CHOICES)),
    write(change, state) {
      if (change.stress) traits.set("stress", { ...state.stress });
      if (change.order) traits.set("order", state.order);
      if (change.row !== undefined) traits.set("row", state.row);
      if (change.most !== undefined) traits.set("n_features", state.most);
    },
    createPanel: open,
  });

  // an answer is two traits, which come one after another within a frame
  const readAgain = stage.guard(() => {
    answer = decodePooledAnswer(data.message, traits.pick(ANSWER));
    repaint();
  });
  traits.onChange(ANSWER, oncePerFrame(signal, readAgain));
  traits.onChange(["progress"], stage.guard(repaint));
}

/** @param solveOn how stresses are solved on its columns; by default for itself alone */
export function createPooledView(solveOn?: (columns: Columns) => Solve) {
  return createView<PooledBoundaryViewTraits>({
    root: "ts-pooled",
    data: DATA,
    awaited: "the pooled boundary",
    shown: "This pooled boundary",
    mount: (stage) => mount(stage, solveOn),
  });
}

export default createPooledView();
