/**
 * The effect widget: a curve, how far reweighting can bend it, and the stress that other views share. What the page
 * has the rows of it computes itself; the rest the kernel answers through traits.
 */

import { type Columns, decodeColumns } from "../../../wire/columns";
import { type Answer, decodeAnswer } from "../../../wire/effects/answer";
import { decodeAttacked } from "../../../wire/effects/attacked";
import {
  decodeEffect,
  decodeMore,
  type EffectMessage,
  type EffectTraits,
  samePart,
} from "../../../wire/effects/effect";
import { decodeWorking } from "../../../wire/effects/working";
import { sameStress } from "../../../wire/shared_stress";
import { isWaiting, type Traits } from "../../../wire/traits";
import "./style.css";
import type { PaintClock } from "../../shared/paint_clock";
import { createView } from "../../shared/view";
import type { View } from "./context";
import { createPanel } from "./panel";
import { createShown, type Source } from "./shown";
import { type State, sameNames, stateFromTraits } from "./state";

const DATA = ["message", "floats", "integers", "columns_message", "columns", "row_weights"] as const;
const CHOICES = ["features", "kind", "compared", "target_class", "epsilon", "follow", "stress"] as const;
const LATER = ["more", "more_floats", "more_integers", "answer", "answer_floats"] as const;
const WORK = ["working", "attacked"] as const;

function read<K extends keyof EffectTraits & string>(
  traits: Traits<EffectTraits>,
  names: readonly K[],
): Pick<EffectTraits, K> {
  return Object.fromEntries(names.map((name) => [name, traits.get(name)])) as Pick<EffectTraits, K>;
}

function columnsOf(traits: Traits<EffectTraits>): Columns | null {
  const given = read(traits, ["columns_message", "columns", "row_weights"]);
  return isWaiting(given.columns_message) ? null : decodeColumns(given);
}

function write(
  traits: Traits<EffectTraits>,
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
  if (change.stress) traits.set("stress", { ...state.stress });
}

function sameState(a: State, b: State): boolean {
  return (
    sameNames(a.features, b.features) &&
    a.kind === b.kind &&
    sameNames(a.compared, b.compared) &&
    a.output === b.output &&
    a.epsilon === b.epsilon &&
    a.follow === b.follow &&
    a.point === b.point &&
    sameStress(a.stress, b.stress)
  );
}

/** Put a panel for this message into the root, following and moving the traits until the signal aborts. */
function mount(
  root: HTMLElement,
  message: EffectMessage,
  traits: Traits<EffectTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  const source: Source = { message, columns: columnsOf(traits), parts: message.parts, answer: null };
  const later = () => {
    source.parts = [
      ...message.parts,
      ...decodeMore(message, read(traits, ["more", "more_floats", "more_integers"])),
    ];
    source.answer = decodeAnswer(
      message,
      source.parts,
      read(traits, ["answer", "answer_floats"]),
    ) as Answer | null;
  };
  later();
  const engine = createShown(source);
  let state: State = { ...stateFromTraits(message, read(traits, CHOICES)), point: null };
  let writing = false;

  const view = (): View => ({
    state,
    shown: engine.show(state),
    working: decodeWorking(traits.get("working")),
    attacked: decodeAttacked(traits.get("attacked")),
  });
  const show = (event: Event | null) => {
    panel.update(view());
    clock.changed(event);
  };
  const panel = createPanel({
    message,
    signal,
    intend: (change, event) => {
      state = { ...state, ...change };
      show(event);
      writing = true;
      write(traits, message, change, state);
      writing = false;
    },
    attack: (asked) => traits.set("attack", asked ? { ...asked, run: Date.now() } : {}),
    stop: () => traits.set("stop", (traits.get("stop") ?? 0) + 1),
    there: (features) => source.parts.filter((part) => samePart(part, features, part.kind)),
  });
  traits.onChange(CHOICES, () => {
    if (writing) return;
    const next: State = { ...stateFromTraits(message, read(traits, CHOICES)), point: state.point };
    if (sameState(next, state)) return;
    state = next;
    show(null);
  });
  let frame = 0;
  const soon = (act: () => void) => () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(act);
  };
  traits.onChange(
    LATER,
    soon(() => {
      later();
      show(null);
    }),
  );
  traits.onChange(WORK, () => show(null));
  root.replaceChildren(panel.element);
  show(null);

  // what the first move needs is sorted while nobody waits for it
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ahead = () => {
    timer = engine.prepare() ? undefined : setTimeout(ahead);
  };
  timer = setTimeout(ahead, 200);
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
    { once: true },
  );
}

export default createView<EffectTraits>({
  root: "ts-effect",
  data: DATA,
  awaited: "the effect",
  shown: "This effect",
  isWaiting: (traits) => isWaiting(traits.get("message")),
  mount: ({ root, traits, clock, signal }) => {
    mount(root, decodeEffect(read(traits, ["message", "floats", "integers"])), traits, clock, signal);
  },
});
