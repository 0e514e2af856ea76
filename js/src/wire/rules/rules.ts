/** The messages of the view of one row's rules: the same words as in Python, checked once, then only read. */

import type { RuleRows } from "../../solve/rules/count";
import { type Bytes, float32, uint8 } from "../buffers";
import {
  flag,
  type Infer,
  list,
  nullable,
  number,
  numbers,
  object,
  oneOf,
  refined,
  text,
  texts,
  unlessEmpty,
  version,
  WireError,
} from "../schema";
import { distribution, same } from "./distribution";
import type { ListedTraits } from "./listed";
import type { StressedTraits } from "./stressed";
import { subsets } from "./subsets";

const flags = list(flag);

const axisMessage = refined(
  object({
    name: text,
    kind: oneOf("number", "levels"),
    /** Whether every number is whole. */
    whole: flag,
    /** False for more levels than can be toggled. */
    movable: flag,
    /** The condition as grown. */
    words: text,
    /** Ends of cells, ascending: cell c reaches from above cut c - 1 up to cut c. */
    cuts: numbers,
    /** Each cut in words as a lower end, and as an upper. */
    over: texts,
    up_to: texts,
    levels: texts,
    /** Of each cell or level, whether the rule as grown holds it. */
    inside: flags,
    missing: flag,
    can_miss: flag,
    /** The row's own; null for a missing one. */
    value: nullable(number),
    value_words: text,
    lowest: number,
    highest: number,
    lowest_words: text,
    highest_words: text,
  }),
  ({ kind, cuts, over, up_to, levels, inside, movable }, where) => {
    const cells = kind === "number" ? cuts.length + 1 : movable ? levels.length : 2;
    if (inside.length === cells && over.length === cuts.length && up_to.length === cuts.length) return;
    throw new WireError(`"${where}" must have words for each cut and ${cells} cells`);
  },
);
export type Axis = Infer<typeof axisMessage>;

export const shareMessage = object({
  n_rows: number,
  n_inside: number,
  coverage: number,
  precision: nullable(number),
  lower: nullable(number),
  upper: nullable(number),
});
export type Share = Infer<typeof shareMessage>;

const ruleMessage = object({
  name: text,
  /** What it asks, in words; "" where any value does. */
  condition: text,
  axes: list(axisMessage),
  sdp: number,
  sdp_min: number,
  training: shareMessage,
  held_out: nullable(shareMessage),
  sentence: text,
  proof: text,
  proved: oneOf("proved", "refuted", "open", "none"),
});
export type RuleMessage = Infer<typeof ruleMessage>;

const answerMessage = object({
  /** -1 for values given. */
  row: number,
  pi: number,
  answer: text,
  reached: flag,
  status: text,
  rules: list(ruleMessage),
  /** Minimal sets that have no rule; "" for none. */
  more: text,
  importance: list(object({ name: text, share: number })),
  subsets,
  /** Null for classes. */
  same: nullable(same),
  /** Of each rule's set; where there is no rule, of the nearest. */
  distributions: list(distribution),
  notes: texts,
  /** Of the rows in the buffers, and of these those of the forest, which come first. */
  n_rows: number,
  n_training: number,
  weighted: flag,
  /** That they are not all; "" where they are. */
  sampled: text,
});
type AnswerMessage = Infer<typeof answerMessage>;

/** A rule with the rows to count it on. */
export interface Rule extends RuleMessage {
  readonly rows: RuleRows;
}

export interface Answer extends Omit<AnswerMessage, "rules"> {
  readonly rules: readonly Rule[];
}

export type RulesTraits = {
  row: number;
  pi: number;
  /** Null for classes, and where an interval was given. */
  t: number | null;
  rule: number;
  selection: readonly number[];
  stress: unknown;
  message: unknown;
  answer: unknown;
  cells: Bytes;
  sdp: Bytes;
  agrees: Bytes;
  weights: Bytes;
  progress: unknown;
} & ListedTraits &
  StressedTraits;

const rulesMessage = object({
  version: version(1),
  title: text,
  model: text,
  n_rows: number,
  /** Whether a kernel can be asked; why it cannot where it cannot. */
  live: flag,
  offline: text,
});
export type RulesMessage = Infer<typeof rulesMessage>;

export function decodeRules(traits: Pick<RulesTraits, "message">): RulesMessage {
  return rulesMessage(traits.message, "message");
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeAnswer(
  traits: Pick<RulesTraits, "answer" | "cells" | "sdp" | "agrees" | "weights">,
): Answer {
  const message = answerMessage(traits.answer, "answer");
  const { n_rows: n, n_training: nTraining, rules } = message;
  const nAxes = rules.reduce((sum, { axes }) => sum + axes.length, 0);
  const cells = uint8("cells", traits.cells, n * nAxes);
  const sdp = float32("sdp", traits.sdp, nTraining * rules.length);
  const agrees = uint8("agrees", traits.agrees, n);
  const weights = message.weighted ? float32("weights", traits.weights, n) : null;
  let axis = 0;
  return {
    ...message,
    rules: rules.map((rule, place) => {
      const own = rule.axes.map(() => {
        const start = axis++ * n;
        return cells.subarray(start, start + n);
      });
      const probability = sdp.subarray(place * nTraining, (place + 1) * nTraining);
      return { ...rule, rows: { nTraining, cells: own, sdp: probability, agrees, weights } };
    }),
  };
}

const progressMessage = unlessEmpty(object({ row: number, pi: number, doing: text, error: text }));
/** What the kernel is at; `doing` or `error` is "". */
export type Progress = Infer<typeof progressMessage>;

export function decodeProgress(value: unknown): Progress {
  return progressMessage(value, "progress");
}
