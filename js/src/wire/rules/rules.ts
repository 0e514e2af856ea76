/** The messages of the view of one row's rules: the same words as in Python, checked once, then only read. */

import type { RuleRows } from "../../solve/rules/count";
import { float32, rowsOf, uint8 } from "../buffers";
import {
  type RuleAxisMessage,
  type RuleMessage,
  type RulesAnswerMessage,
  type RulesMessage,
  type RulesProgressMessage,
  type RulesViewTraits,
  rulesAnswerMessage,
  rulesMessage,
  rulesProgressMessage,
} from "../messages";
import { unlessEmpty, WireError } from "../schema";
import { checkDistribution } from "./distribution";

/** A number has a cell more than cuts; levels one each, or two where they are too many to be toggled. */
function checkCells({ kind, cuts, levels, inside, movable }: RuleAxisMessage, where: string): void {
  const cells = kind === "number" ? cuts.length + 1 : movable ? levels.length : 2;
  if (inside.length !== cells)
    throw new WireError(`"${where}.inside" must have an entry for each of ${cells} cells`);
}

/** A rule with the rows to count it on. */
export interface Rule extends RuleMessage {
  readonly rows: RuleRows;
}

export interface Answer extends Omit<RulesAnswerMessage, "rules"> {
  readonly rules: readonly Rule[];
}

export type RulesTraits = Omit<RulesViewTraits, "t"> & { t: number | null };

export function decodeRules(traits: Pick<RulesTraits, "message">): RulesMessage {
  return rulesMessage(traits.message, "message");
}

/** Message and buffers together, their lengths checked against each other. */
export function decodeAnswer(
  traits: Pick<RulesTraits, "answer" | "cells" | "sdp" | "agrees" | "weights">,
): Answer {
  const message = rulesAnswerMessage(traits.answer, "answer");
  message.distributions.forEach(checkDistribution);
  for (const [k, { axes }] of message.rules.entries()) {
    for (const [j, axis] of axes.entries()) checkCells(axis, `answer.rules[${k}].axes[${j}]`);
  }
  const { n_rows: n, n_training: nTraining, rules } = message;
  const nAxes = rules.reduce((sum, { axes }) => sum + axes.length, 0);
  const cells = uint8("cells", traits.cells, n * nAxes);
  const sdp = float32("sdp", traits.sdp, nTraining * rules.length);
  const agrees = uint8("agrees", traits.agrees, n);
  const weights = message.weighted ? float32("weights", traits.weights, n) : null;
  const [cellsOf, sdpOf] = [rowsOf(cells, n), rowsOf(sdp, nTraining)];
  let axis = 0;
  return {
    ...message,
    rules: rules.map((rule, place) => {
      const own = rule.axes.map(() => cellsOf(axis++));
      return { ...rule, rows: { nTraining, cells: own, sdp: sdpOf(place), agrees, weights } };
    }),
  };
}

/** What the kernel is at; `doing` or `error` is "". */
export type Progress = RulesProgressMessage | null;

export const decodeProgress = (value: unknown): Progress =>
  unlessEmpty(rulesProgressMessage)(value, "progress");
