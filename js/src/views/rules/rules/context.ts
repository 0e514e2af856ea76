/** What every part of the panel is given: the message, what is shown, and the way to ask for a change. */

import type { BoxCounts, Side } from "../../../solve/rules/count";
import type { RulesMessage, RulesProgressMessage, StressedRuleMessage } from "../../../wire/messages";
import type { Answer, Listed, Rule, Stressed } from "../../../wire/rules/rules";
import type { Part as AnyPart } from "../../shared/part";
import type { StressShown } from "../../shared/stress_shown";
import type { State } from "./state";

/** Under which stress the rules are shown. */
export type RulesUnder = StressShown<Stressed>;

/** A rule as it is shown. */
export interface Shown {
  readonly rule: Rule;
  readonly sides: readonly Side[];
  /** Counts of the edges as moved; null where the rule is as grown. */
  readonly counts: BoxCounts | null;
  /** The same under the stress shown; null without one. */
  readonly after: { readonly rule: StressedRuleMessage; readonly counts: BoxCounts | null } | null;
}

/** Everything an update is told. */
export interface View {
  readonly state: State;
  readonly answer: Answer;
  readonly place: number;
  /** Null where no set reaches π. */
  readonly shown: Shown | null;
  /** Whether the answer is of another row or π than those chosen. */
  readonly stale: boolean;
  readonly progress: RulesProgressMessage | null;
  readonly stress: RulesUnder;
  readonly listed: Listed;
}

export interface Context {
  readonly message: RulesMessage;
  readonly signal: AbortSignal;
  /** Ask for a new state; `event` is the input that caused it. */
  readonly intend: (change: Partial<State>, event: Event | null) => void;
}

export type Part = AnyPart<View>;
