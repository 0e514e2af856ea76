/**
 * The widget of one row's boundary: what would flip the decision, how far away, and a walk there. The page walks the
 * path it has; another row, class or constraint is searched by the kernel.
 */

import { type BoundaryTraits, decodeAnswers, decodeRows } from "../../../wire/boundary/boundary";
import {
  boundaryListedMessage,
  boundaryMessage,
  boundaryProgressMessage,
  decisionMessage,
} from "../../../wire/messages";
import { isWaiting, unlessEmpty } from "../../../wire/schema";
import type { Traits } from "../../shared/traits";
import "./style.css";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createView, type Stage } from "../../shared/view";
import type { View } from "./context";
import { createPanel } from "./panel";
import { EVERY_ROW, placeOf, type State, stateFromTraits } from "./state";

const OWN = ["message", "rows"] as const;
const ANSWER = ["answer", "path_values", "pictures"] as const;
const CHOICES = ["row", "target", "fixed", "bounds", "edits"] as const;
const WORK = ["progress", "decision", "listed"] as const;

/** Set the traits that a person's own move changes. */
function writeChoices(traits: Traits<BoundaryTraits>, change: Partial<State>, asks: boolean): void {
  if (change.row !== undefined) traits.set("row", change.row);
  if (change.target !== undefined) traits.set("target", change.target);
  if (change.fixed) traits.set("fixed", [...change.fixed]);
  if (change.bounds) {
    const ends = Object.entries(change.bounds).map(([name, bound]) => [name, [...bound]] as const);
    traits.set("bounds", Object.fromEntries(ends));
  }
  if (change.edits) traits.set("edits", { ...change.edits });
  if (change.query && asks) traits.set("query", { ...change.query });
}

function mount(stage: Stage<BoundaryTraits>): void {
  const { traits, signal } = stage;
  const message = boundaryMessage(traits.get("message"), "message");
  const rows = decodeRows(message, traits.pick(OWN));
  let answers = decodeAnswers(traits.pick(ANSWER), message.image);

  const view = (state: State): View => {
    const place = placeOf(answers, state.at);
    const { row, target } = place.answer;
    return {
      state,
      answers,
      ...place,
      stale: row !== state.row || target !== state.target,
      progress: unlessEmpty(boundaryProgressMessage)(traits.get("progress"), "progress"),
      decision: unlessEmpty(decisionMessage)(traits.get("decision"), "decision"),
      listed: unlessEmpty(boundaryListedMessage)(traits.get("listed"), "listed"),
    };
  };
  const more = (name: "inspect" | "search" | "stop") => () => traits.set(name, (traits.get(name) ?? 0) + 1);
  const open = (actions: Actions<State>) => {
    const work = { inspect: more("inspect"), search: more("search"), stop: more("stop") };
    return derived(createPanel({ ...actions, message, rows, ...work }), view);
  };
  const { repaint } = startLoop<BoundaryTraits, State>(stage, {
    choices: CHOICES,
    read: (before) => ({
      query: EVERY_ROW,
      at: null,
      sought: null,
      ...before,
      ...stateFromTraits(traits.pick(CHOICES)),
    }),
    write: (change) => writeChoices(traits, change, message.live && rows === null),
    createPanel: open,
  });

  // an answer is several traits, which come one after the other within a frame
  const readAgain = stage.guard(() => {
    answers = decodeAnswers(traits.pick(ANSWER), message.image);
    repaint();
  });
  traits.onChange(ANSWER, oncePerFrame(signal, readAgain));
  traits.onChange(WORK, repaint);
}

export default createView<BoundaryTraits>({
  root: "ts-boundary",
  data: [...OWN],
  awaited: "the boundary",
  shown: "This boundary",
  isWaiting: (traits) => isWaiting(traits.get("message")) || isWaiting(traits.get("answer")),
  mount,
});
