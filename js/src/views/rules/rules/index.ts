/**
 * The widget of one row's rules: minimal sets, and for the one chosen how far its values can move. Edges dragged are
 * counted in the page on the rows that came along; another row, π or t is searched by the kernel.
 */

import { countBox } from "../../../solve/rules/count";
import { rulesMessage, rulesProgressMessage } from "../../../wire/messages";
import { decodeAnswer, decodeListed, decodeStressed, type RulesTraits } from "../../../wire/rules/rules";
import { isWaiting, unlessEmpty } from "../../../wire/schema";
import "./style.css";
import { type Actions, startLoop } from "../../shared/loop";
import { oncePerFrame } from "../../shared/once_per_frame";
import { derived } from "../../shared/part";
import { createView, type Stage } from "../../shared/view";
import type { Shown, View } from "./context";
import { createPanel } from "./panel";
import { ruleOf, type State, sidesOf, stateFromTraits } from "./state";
import { rulesUnder, ruleUnder } from "./stress";

const LISTED = ["listed", "places", "decided", "scores", "entries"] as const;
const STRESSED = ["stressed", "stressed_weights"] as const;
const ANSWER = ["answer", "cells", "sdp", "agrees", "weights", ...LISTED, ...STRESSED] as const;
const SET = ["row", "pi", "t", "rule", "selection"] as const;
const CHOICES = [...SET, "stress"] as const;

function mount(stage: Stage<RulesTraits>): void {
  const { traits, signal } = stage;
  const message = rulesMessage(traits.get("message"), "message");
  const decode = () => {
    const answer = decodeAnswer(traits.pick(ANSWER));
    const listed = decodeListed(traits.pick(LISTED), answer);
    return { answer, listed, stressed: decodeStressed(traits.pick(STRESSED), answer) };
  };
  let { answer, listed, stressed } = decode();

  const view = (state: State): View => {
    const { rule, place } = ruleOf(answer, state);
    const stress = rulesUnder(message, state.stress, stressed);
    let shown: Shown | null = null;
    if (rule) {
      const sides = sidesOf(rule, state.moved);
      const counts = state.moved?.of === rule ? countBox(rule.rows, sides) : null;
      shown = { rule, sides, counts, after: ruleUnder(rule, place, stress, counts && sides) };
    }
    return {
      state,
      answer,
      place,
      shown,
      stale: answer.row !== state.row || answer.pi !== state.pi || (answer.same?.t ?? null) !== state.t,
      progress: unlessEmpty(rulesProgressMessage)(traits.get("progress"), "progress"),
      stress,
      listed,
    };
  };
  const open = (actions: Actions<State>) => derived(createPanel({ ...actions, message }), view);
  const { repaint } = startLoop<RulesTraits, State>(stage, {
    choices: CHOICES,
    read: (before) => ({ moved: null, sliding: null, ...before, ...stateFromTraits(traits.pick(CHOICES)) }),
    write(change) {
      for (const name of SET) if (change[name] !== undefined) traits.set(name, change[name]);
    },
    createPanel: open,
  });

  // an answer is several traits, which come one after the other within a frame
  const readAgain = stage.guard(() => {
    ({ answer, listed, stressed } = decode());
    repaint();
  });
  traits.onChange(ANSWER, oncePerFrame(signal, readAgain));
  traits.onChange(["progress"], repaint);
}

export default createView<RulesTraits>({
  root: "ts-rules",
  data: ["message"],
  awaited: "the rules",
  shown: "These rules",
  isWaiting: (traits) => isWaiting(traits.get("message")) || isWaiting(traits.get("answer")),
  mount,
});
