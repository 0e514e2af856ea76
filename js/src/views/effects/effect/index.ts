/**
 * The effect widget: a curve, how far reweighting can bend it, and the stress that other views share. What the page
 * has the rows of it computes itself; the rest the kernel answers through traits.
 */

import type { Solve } from "../../../solve/stress/solutions";
import { type Columns, decodeColumns } from "../../../wire/columns";
import {
  decodeAnswer,
  decodeEffect,
  decodeGroups,
  decodeMore,
  type EffectMessage,
  samePart,
} from "../../../wire/effects/effect";
import { attackedMessage, effectProgressMessage, type FeatureEffectViewTraits } from "../../../wire/messages";
import { isWaiting, unlessEmpty } from "../../../wire/schema";
import type { Traits } from "../../shared/traits";
import "./style.css";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createView, type Stage } from "../../shared/view";
import { createViewDeriver, type Source } from "./derive_view";
import { createPanel } from "./panel";
import { type State, sameNames, stateFromTraits } from "./state";

const OWN = ["message", "floats", "integers"] as const;
const COLUMNS = ["columns_message", "columns", "row_weights"] as const;
const CHOICES = [
  "features",
  "kind",
  "compared",
  "target_class",
  "epsilon",
  "follow",
  "stress",
  "by",
] as const;
const MORE = ["more", "more_floats", "more_integers"] as const;
const ANSWER = ["answer", "answer_floats"] as const;
const GROUPS = ["groups", "group_numbers"] as const;
const WORK = ["progress", "attacked"] as const;

/** Milliseconds after the first picture before sorting begins. */
const REST = 200;

function writeChoices(
  traits: Traits<FeatureEffectViewTraits>,
  message: EffectMessage,
  change: Partial<State>,
  state: State,
): void {
  if (change.features && !sameNames(change.features, traits.get("features"))) {
    traits.set("features", [...state.features]);
  }
  if (change.kind) traits.set("kind", state.kind);
  if (change.compared && !sameNames(state.compared, traits.get("compared"))) {
    traits.set("compared", [...state.compared]);
  }
  if (change.output !== undefined) traits.set("target_class", message.classes[state.output] ?? "");
  if (change.epsilon !== undefined) traits.set("epsilon", message.epsilons[state.epsilon] ?? 0);
  if (change.follow !== undefined) traits.set("follow", state.follow);
  if (change.by !== undefined) traits.set("by", state.by);
  if (change.stress) traits.set("stress", { ...state.stress });
}

/** What the page has of the effect; parts and answer come later too. */
function readSource(traits: Traits<FeatureEffectViewTraits>): Source & { receive(): void } {
  const sent = decodeEffect(traits.pick(OWN));
  // without a kernel all there is can be chosen: what it was asked for before it ended too
  const message = sent.live
    ? sent
    : { ...sent, parts: [...sent.parts, ...decodeMore(sent, traits.pick(MORE))] };
  const columns = isWaiting(traits.get("columns_message")) ? null : decodeColumns(traits.pick(COLUMNS));
  const source = {
    message,
    columns,
    parts: message.parts,
    answer: null as Source["answer"],
    groups: null as Source["groups"],
    receive() {
      source.parts = message.live
        ? [...message.parts, ...decodeMore(message, traits.pick(MORE))]
        : message.parts;
      source.answer = decodeAnswer(message, source.parts, traits.pick(ANSWER));
      source.groups = decodeGroups(message, source.parts, traits.pick(GROUPS));
    },
  };
  source.receive();
  return source;
}

/** Sort what the first move needs while nobody waits for it. */
function prepareAhead(signal: AbortSignal, prepare: () => boolean): void {
  let timer = setTimeout(function ahead() {
    if (!prepare()) timer = setTimeout(ahead);
  }, REST);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

function mount(stage: Stage<FeatureEffectViewTraits>, solveOn?: (columns: Columns) => Solve): void {
  const { traits, signal } = stage;
  const source = readSource(traits);
  const { message } = source;
  const engine = createViewDeriver(source, solveOn);

  const open = (actions: Actions<State>) => {
    const panel = createPanel({
      ...actions,
      message,
      attack: (asked) => traits.set("attack", asked ? { ...asked, run: Date.now() } : {}),
      stop: () => traits.set("stop", (traits.get("stop") ?? 0) + 1),
      there: (features) => source.parts.filter((part) => samePart(part, features, part.kind)),
    });
    const view = (state: State) => ({
      state,
      shown: engine.derive(state),
      progress: effectProgressMessage(traits.get("progress") ?? {}, "progress"),
      attacked: unlessEmpty(attackedMessage)(traits.get("attacked"), "attacked"),
    });
    return derived(panel, view);
  };
  const { repaint } = startLoop<FeatureEffectViewTraits, State>(stage, {
    choices: CHOICES,
    read: (before) => ({
      point: null,
      paper: false,
      ...before,
      ...stateFromTraits(message, traits.pick(CHOICES)),
    }),
    write: (change, state) => writeChoices(traits, message, change, state),
    createPanel: open,
  });

  // an answer is several traits, which come one after another within a frame
  const receive = stage.guard(() => {
    source.receive();
    repaint();
  });
  traits.onChange([...MORE, ...ANSWER, ...GROUPS], oncePerFrame(signal, receive));
  traits.onChange(WORK, repaint);
  prepareAhead(signal, engine.prepare);
}

/** @param solveOn how stresses are solved on its columns; by default for itself alone */
export function createEffectView(solveOn?: (columns: Columns) => Solve) {
  return createView<FeatureEffectViewTraits>({
    root: "ts-effect",
    data: [...OWN, ...COLUMNS],
    awaited: "the effect",
    shown: "This effect",
    mount: (stage) => mount(stage, solveOn),
  });
}

export default createEffectView();
