/** The messages of the view of one row's rules: the same words as in Python, checked once, then only read. */

import type { RuleRows } from "../../solve/rules/count";
import { float32, rowsOf, uint8, uint32 } from "../buffers";
import {
  type DistributionMessage,
  type RuleAxisMessage,
  type RuleMessage,
  type RulesAnswerMessage,
  type RulesListedMessage,
  type RulesViewTraits,
  rulesAnswerMessage,
  rulesListedMessage,
  type StressedMessage,
  stressedMessage,
} from "../messages";
import { checkCount, unlessEmpty, WireError } from "../schema";

export interface Stressed extends StressedMessage {
  /** Of the rows in the answer's buffers. */
  readonly weights: Float32Array;
}

/** Null where nothing was counted of the answer shown. */
export function decodeStressed(
  traits: Pick<RulesViewTraits, "stressed" | "stressed_weights">,
  answer: Answer,
): Stressed | null {
  const message = unlessEmpty(stressedMessage)(traits.stressed ?? {}, "stressed");
  if (message === null) return null;
  const { row, pi, t } = message;
  if (row !== answer.row || pi !== answer.pi || t !== (answer.same?.t ?? null)) return null;
  if (message.error) return { ...message, weights: new Float32Array(0) };
  checkCount("stressed", message.rules, answer.rules.length, "rules");
  return { ...message, weights: float32("stressed_weights", traits.stressed_weights, answer.n_rows) };
}

export interface Listed extends RulesListedMessage {
  /** Positions in the study, in the order of the answer's buffers. */
  readonly places: Uint32Array;
  readonly decided: Float32Array;
  readonly scores: Float32Array | null;
  /** Of each column. */
  readonly entries: readonly Float32Array[];
}

/** Message and buffers together, their lengths checked against the answer's. */
export function decodeListed(
  traits: Pick<RulesViewTraits, "listed" | "places" | "decided" | "scores" | "entries">,
  { n_rows: n }: Answer,
): Listed {
  const message = rulesListedMessage(traits.listed, "listed");
  const places = uint32("places", traits.places);
  if (places.length !== n)
    throw new WireError(`"places" must hold ${n} positions, received ${places.length}`);
  const entries = rowsOf(float32("entries", traits.entries, n * message.columns.length), n);
  return {
    ...message,
    places,
    decided: float32("decided", traits.decided, n),
    scores: message.score ? float32("scores", traits.scores, n) : null,
    entries: message.columns.map((_, k) => entries(k)),
  };
}

/** What the values of a set leave open: shares of values or of classes. */
function checkDistribution({ values, classes, shares }: DistributionMessage, place: number): void {
  if (shares.length === values.length + classes.length) return;
  throw new WireError(`"distributions[${place}]" must have a share for each of its values or classes`);
}

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
