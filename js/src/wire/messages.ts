/** Written by js/generate_wire.py from the TypedDicts in src/tauscope: change those, then run `make wire`. */

import {
  ascending,
  type Bytes,
  each,
  flag,
  type Infer,
  list,
  notEmpty,
  nullAs,
  nullable,
  number,
  numberOrNaN,
  numberOrText,
  numbers,
  numbersOrNull,
  object,
  oneOf,
  optional,
  recordOf,
  text,
  texts,
  tuple,
  version,
} from "./schema";
import { readStress } from "./shared_stress";

/**
 * One feature: its values at the row, the point and the rival; None for missing ones, and without such a row.
 *
 * `scale` is one unit of the distance, in the feature's own. `levels` are names by code, of levels alone. `held` says
 * why it can change in no row, "" where it can. `direction` is its part of the unit direction, 0 where it stays;
 * `effect` is how far that takes the feature, in its own unit, along the way in `effect_words`; 0 of levels, of which
 * `leads_to` is the code of the one that the direction leads to: None where they have no order and none changes.
 */
export const boundaryFeatureMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("number", "levels", "date", "duration"),
  integer: flag,
  scale: number,
  levels: texts,
  start: nullable(number),
  point: nullable(number),
  rival: nullable(number),
  changed: flag,
  held: text,
  direction: number,
  effect: number,
  leads_to: nullable(number),
}));
export type BoundaryFeatureMessage = Infer<typeof boundaryFeatureMessage>;

/**
 * One array of a buffer: what its axes are of, how long they are, and how far apart their numbers stand.
 *
 * `strides` and `start` count numbers, as the buffer's other arrays may stand between.
 */
export const arrayMessage = /* @__PURE__ */ object(() => ({
  name: text,
  dims: texts,
  shape: numbers,
  strides: numbers,
  start: number,
}));
export type ArrayMessage = Infer<typeof arrayMessage>;

/**
 * The answers along the direction, of the class that the row has now.
 *
 * `length` is what is walked from the row, in units of the distance, 0 first; `label` are places in `labels`;
 * `flipped` is 1 where the decision is another, or the class searched. `moving` are places among the features of
 * those that change on the way, whose values stand in the buffer as `layout` says.
 */
export const boundaryPathMessage = /* @__PURE__ */ object(() => ({
  length: each("step", numbers),
  answer: each("step", numbersOrNull),
  label: each("step", numbers),
  flipped: each("step", numbers),
  labels: texts,
  crossing: nullable(number),
  returns: flag,
  moving: numbers,
  layout: list(arrayMessage),
}));
export type BoundaryPathMessage = Infer<typeof boundaryPathMessage>;

/** The sample on two components, some of its points; 1 where another class is decided. */
export const boundaryProjectionMessage = /* @__PURE__ */ object(() => ({
  first: each("point", numbers),
  second: each("point", numbers),
  flipped: each("point", numbers),
  words: text,
}));
export type BoundaryProjectionMessage = Infer<typeof boundaryProjectionMessage>;

/** How far the explanation can be relied on. */
export const explanationMessage = /* @__PURE__ */ object(() => ({
  level: oneOf("reliable", "wide", "unreliable"),
  words: text,
  reasons: texts,
}));
export type ExplanationMessage = Infer<typeof explanationMessage>;

/** One figure behind that. */
export const boundaryDiagnosticMessage = /* @__PURE__ */ object(() => ({
  label: text,
  value: text,
  words: text,
}));
export type BoundaryDiagnosticMessage = Infer<typeof boundaryDiagnosticMessage>;

/** What the row, the point and the rival are decided as; "" for none. */
export const boundaryLabelsMessage = /* @__PURE__ */ object(() => ({
  start: text,
  point: text,
  rival: text,
}));
export type BoundaryLabelsMessage = Infer<typeof boundaryLabelsMessage>;

/** How many features were not sent, and of those, how many change and how many are 0 throughout. */
export const unsentMessage = /* @__PURE__ */ object(() => ({
  n_more: number,
  n_more_changed: number,
  n_more_zero: number,
}));
export type UnsentMessage = Infer<typeof unsentMessage>;

/**
 * Where an answer's pictures stand in the buffer.
 *
 * `layout` names them, from `first` on: row, point and rival, 0 for none and 1 to 255 from `low` to `high`; the
 * direction added up over the channels, 128 for 0; then `n_steps` rows, every
 * `stride`-th step of the path.
 */
export const boundaryPicturesMessage = /* @__PURE__ */ object(() => ({
  first: number,
  low: number,
  high: number,
  n_steps: number,
  stride: number,
  layout: list(arrayMessage),
}));
export type BoundaryPicturesMessage = Infer<typeof boundaryPicturesMessage>;

/** A stretch of the text; `weight` in [−1, 1] of a word, above 0 where more of it leads across; None of the rest. */
export const boundaryPieceMessage = /* @__PURE__ */ object(() => ({
  text: text,
  weight: nullable(number),
}));
export type BoundaryPieceMessage = Infer<typeof boundaryPieceMessage>;

/** A text in pieces; the heaviest words it has not, that lead across and that hold back; how many more there are. */
export const boundaryWordsMessage = /* @__PURE__ */ object(() => ({
  pieces: list(boundaryPieceMessage),
  across: list(boundaryPieceMessage),
  back: list(boundaryPieceMessage),
  n_more: number,
}));
export type BoundaryWordsMessage = Infer<typeof boundaryWordsMessage>;

/**
 * One answer: the nearest flip, or one of several.
 *
 * `row` is −1 for new values. `target` is the class searched, "" for the nearest of any; `name` what it is of several:
 * "nearest", "stretch 2". `certificate` says how the lower bound was found, "" for none; `status` what was tried where
 * nothing was found. `labels` are what the row and the point are decided as, and the training row beyond it.
 * `threshold` is where the decision turns, where one value of the answer tells.
 * `mostly_zero` says that most of the row is 0, as of words counted, so that features that are 0 throughout need no
 * line.
 */
export const boundaryAnswerMessage = /* @__PURE__ */ object(() => ({
  n_more: number,
  n_more_changed: number,
  n_more_zero: number,
  row: number,
  target: text,
  name: text,
  found: flag,
  headline: text,
  certificate: text,
  status: text,
  reliability: explanationMessage,
  notes: texts,
  labels: boundaryLabelsMessage,
  rival_row: nullable(number),
  unit: text,
  response: text,
  response_kind: oneOf("share", "value"),
  threshold: nullable(number),
  features: list(boundaryFeatureMessage),
  effect_words: text,
  mostly_zero: flag,
  path: nullable(boundaryPathMessage),
  diagnostics: list(boundaryDiagnosticMessage),
  projection: nullable(boundaryProjectionMessage),
  pictures: nullable(boundaryPicturesMessage),
  words: nullable(boundaryWordsMessage),
  n_model_rows: number,
  fixed: texts,
  bounds: recordOf(tuple(nullable(number), nullable(number))),
}));
export type BoundaryAnswerMessage = Infer<typeof boundaryAnswerMessage>;

/** All that was found for a row, the nearest first. */
export const boundaryAnswersMessage = /* @__PURE__ */ object(() => ({
  answers: list(boundaryAnswerMessage),
}));
export type BoundaryAnswersMessage = Infer<typeof boundaryAnswersMessage>;

/**
 * What the model decides for `row` with the values `edits`: in a sentence, and whether it is another decision.
 *
 * `doing` says what the kernel is at, with the sentence of the answer before; `error` why there is no answer.
 */
export const decisionMessage = /* @__PURE__ */ object(() => ({
  row: number,
  edits: recordOf(numberOrText),
  sentence: text,
  flipped: flag,
  n_model_rows: number,
  doing: text,
  error: text,
}));
export type DecisionMessage = Infer<typeof decisionMessage>;

/**
 * What `BoundaryView` carries besides its answers.
 *
 * `targets` are the classes that can be searched for, where there are more than two; `offline` says why no kernel
 * can be asked, "" where one can. `labels` are by the codes of `rows`, float32 as `layout` says, −1 and NaN where
 * there is none. `image` is height, width and channels (1 or 3) of the pictures, where features are pixels.
 */
export const boundaryMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  model: text,
  n_rows: number,
  targets: texts,
  labels: texts,
  response: text,
  response_kind: oneOf("share", "value"),
  labelled: flag,
  live: flag,
  offline: text,
  rows_shipped: flag,
  image: nullable(numbers),
  layout: list(arrayMessage),
}));
export type BoundaryMessage = Infer<typeof boundaryMessage>;

/** One row of a list; `truth` is −1 where there is none. */
export const boundaryListedRowMessage = /* @__PURE__ */ object(() => ({
  row: number,
  predicted: number,
  truth: number,
  answer: numberOrNaN,
}));
export type BoundaryListedRowMessage = Infer<typeof boundaryListedRowMessage>;

/** The first of the rows that a query finds, and how many there are. */
export const boundaryListedMessage = /* @__PURE__ */ object(() => ({
  filter: oneOf("all", "errors"),
  text: text,
  n: number,
  rows: list(boundaryListedRowMessage),
}));
export type BoundaryListedMessage = Infer<typeof boundaryListedMessage>;

/** What the kernel is `doing` and how many rows the model was asked about, or an `error`. */
export const pooledProgressMessage = /* @__PURE__ */ object(() => ({
  doing: text,
  n_model_rows: number,
  error: text,
}));
export type PooledProgressMessage = Infer<typeof pooledProgressMessage>;

/**
 * What is told of one pooling beside its weights; `wobble` is null where the directions cancel.
 *
 * `n` counts the rows pooled and `size` the effective ones; `df` is what their weights leave to Student's t; `share`
 * is theirs of the population's weight, null for rows that are not the study's.
 */
export const pooledFactsMessage = /* @__PURE__ */ object(() => ({
  n: number,
  size: number,
  df: number,
  share: nullable(number),
  agreement: number,
  wobble: numberOrNaN,
}));
export type PooledFactsMessage = Infer<typeof pooledFactsMessage>;

/** The few rows that carry the weight moved, and their share of all weight; both 0 where they are not few. */
export const carriersMessage = /* @__PURE__ */ object(() => ({
  n: number,
  share: number,
}));
export type CarriersMessage = Infer<typeof carriersMessage>;

/** How far the population of all rows was moved. */
export const pooledPopulationMessage = /* @__PURE__ */ object(() => ({
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
  carriers: carriersMessage,
}));
export type PooledPopulationMessage = Infer<typeof pooledPopulationMessage>;

/**
 * What decides over a number: its name, level, sentences, and the decimals of the amount they quote.
 *
 * Sentences have {amount}, {events} and {non_events} in place of the cell's and the metric's own, and {share} in place
 * of a percentage; `few` is that for an amount below 2.
 */
export const reasonMessage = /* @__PURE__ */ object(() => ({
  name: text,
  level: oneOf("reliable", "wide", "unreliable"),
  words: text,
  few: text,
  decimals: number,
}));
export type ReasonMessage = Infer<typeof reasonMessage>;

/**
 * What `PooledBoundaryView` carries beside columns and buffers.
 *
 * `rows` says which rows were chosen, `n_chosen` of them, and `given` which kind these were drawn from, `n_given`
 * of them; `n_rows` are the study's, 0 where there is none. `n_errors` are misclassified rows to be pooled where none
 * is selected, 0 where that is not offered, and `max_rows` the most that are drawn of them. `labels` are the classes,
 * `distance` what distances are in, "" for the rows' own units, `listed` whether the rows pooled came along. `parted`
 * are positions of the features that weigh in a row without them; elsewhere the
 * part of such rows is 0. `n_present` goes by feature. `interval` says what intervals cover,
 * without a stress and under one. `doubts` says
 * what speaks against a pooled direction, with the thresholds beside it. `unstressable` says why no stress can be
 * shown, "" where one can. `shipped` tells whether the page pools by itself, `live` whether the kernel can be asked,
 * `offline` why it cannot pool other rows.
 */
export const pooledMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  model: text,
  axis: text,
  rows: text,
  n_rows: number,
  n_chosen: number,
  given: oneOf("all", "errors", "rows", "new"),
  n_given: number,
  n_errors: number,
  max_rows: number,
  labels: texts,
  distance: text,
  listed: flag,
  features: texts,
  n_present: numbers,
  parted: numbers,
  confidence: number,
  interval: text,
  interval_stressed: text,
  notes: texts,
  doubts: object(() => ({ alone: text, cancel: text, unsettled: text, few: text })),
  most_wobble: number,
  few: number,
  facts: pooledFactsMessage,
  population: pooledPopulationMessage,
  weighted: flag,
  shipped: flag,
  live: flag,
  offline: text,
  unstressable: text,
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  layout: list(arrayMessage),
}));
export type PooledMessage = Infer<typeof pooledMessage>;

/** The kernel's answer to one stress, named by it; `error` says why there is none. */
export const pooledAnswerMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  facts: optional(nullable(pooledFactsMessage), null),
  population: optional(nullable(pooledPopulationMessage), null),
}));
export type PooledAnswerMessage = Infer<typeof pooledAnswerMessage>;

/** What the kernel is `doing` for a row and how many rows the model was asked about, or an `error`. */
export const boundaryProgressMessage = /* @__PURE__ */ object(() => ({
  row: number,
  doing: text,
  n_model_rows: number,
  error: text,
}));
export type BoundaryProgressMessage = Infer<typeof boundaryProgressMessage>;

/**
 * One feature: how it reads, its scale, and the means that τ = -1 and τ = 1 stand for, in its unit.
 *
 * `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
 * else "". `missing` names the feature that is the
 * share of its rows without a value; None where there is none, and for shares. `n_values` is how many different
 * values the column is sent by, 0 where each row's own is sent. `held` tells whether its mean stays
 * where others' means shall. `note_low` and `note_high` say what is unusual about τ < 0 and τ > 0, "" when nothing.
 */
export const columnMessage = /* @__PURE__ */ object(() => ({
  name: text,
  column: text,
  level: nullable(text),
  kind: oneOf("numeric", "share"),
  integer: flag,
  unit: optional(text, ""),
  mean: number,
  sd: number,
  low: number,
  high: number,
  n_missing: number,
  missing: nullable(text),
  n_values: optional(number, 0),
  held: flag,
  note_low: text,
  note_high: text,
}));
export type ColumnMessage = Infer<typeof columnMessage>;

/** What goes beside the columns. `shipped` is False where they are past the budget, and the kernel answers. */
export const columnsMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  n_rows: number,
  features: list(columnMessage),
  weighted: flag,
  shipped: flag,
}));
export type ColumnsMessage = Infer<typeof columnsMessage>;

/**
 * How far one effect moved at most, and how far a reweighting of this distance could have moved it.
 *
 * `layout` says where the curve moved and its bounds stand in the answer's floats, those at the distance moved and
 * those at `epsilon`.
 */
export const moveMessage = /* @__PURE__ */ object(() => ({
  kind: oneOf("pd", "cd", "ale", "dale"),
  change: number,
  possible: number,
  layout: list(arrayMessage),
}));
export type MoveMessage = Infer<typeof moveMessage>;

/**
 * What the kernel found, and the state of the page that it answers.
 *
 * The floats are the weights of the rows where `weights` says so, and what each of `moves` says.
 */
export const effectAnswerMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  epsilon: number,
  target_class: text,
  features: texts,
  kinds: list(oneOf("pd", "cd", "ale", "dale")),
  carriers: optional(carriersMessage, { n: 0, share: 0 }),
  df: optional(number, Number.NaN),
  weights: flag,
  moves: list(moveMessage),
  layout: optional(list(arrayMessage), []),
}));
export type EffectAnswerMessage = Infer<typeof effectAnswerMessage>;

/** What one bound says of this change: how far down and up it allows; null where it cannot be known. */
export const verdictMessage = /* @__PURE__ */ object(() => ({
  bound: text,
  status: oneOf("certified", "estimated"),
  lower: nullable(number),
  upper: nullable(number),
  holds: flag,
}));
export type VerdictMessage = Infer<typeof verdictMessage>;

/** The curve before and after the strongest attack, and what each bound says of the point attacked. */
export const attackedMessage = /* @__PURE__ */ object(() => ({
  feature: text,
  kind: oneOf("pd", "cd", "ale", "dale"),
  target_class: text,
  sentence: text,
  change: number,
  points: numbersOrNull,
  labels: texts,
  before: numbersOrNull,
  after: numbersOrNull,
  place: number,
  verdicts: list(verdictMessage),
}));
export type AttackedMessage = Infer<typeof attackedMessage>;

/** One group: its name, its rows, and how many of them count. */
export const effectGroupMessage = /* @__PURE__ */ object(() => ({
  label: text,
  n_rows: number,
  ess: number,
}));
export type EffectGroupMessage = Infer<typeof effectGroupMessage>;

/**
 * Groups of rows, and of which effect and stress their curves are; `error` says why there are none.
 *
 * `words` say what the population is, "" where nothing is moved, and `kept` what a page without a kernel says under
 * another; `notes` are what is to be known of the groups. `widest` is of each class the point where their curves are
 * farthest apart, −1 for none.
 */
export const effectGroupsMessage = /* @__PURE__ */ object(() => ({
  by: text,
  features: texts,
  kind: oneOf("pd", "cd", "ale", "dale"),
  stress: readStress,
  error: text,
  words: optional(text, ""),
  groups: optional(list(effectGroupMessage), []),
  layout: optional(list(arrayMessage), []),
  kept: optional(text, ""),
  notes: optional(texts, []),
  widest: optional(numbers, []),
}));
export type EffectGroupsMessage = Infer<typeof effectGroupsMessage>;

/**
 * One feature's points: numbers (dates as decimal years, levels by position, null for missing) and words.
 *
 * `edges` ascends, with `shares` of the rows' weight between them; for levels it is empty, and `shares` is one per
 * point. `mass` is the weight at each point, a row between two counted to both.
 */
export const effectAxisMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("numeric", "date", "levels"),
  integer: flag,
  unit: text,
  points: each("point", numbersOrNull),
  labels: each("point", texts),
  edges: numbers,
  shares: numbers,
  mass: each("point", numbers),
}));
export type EffectAxisMessage = Infer<typeof effectAxisMessage>;

/** The smallest reweighting that turns the direction between two points; `epsilon` null where none does. */
export const breakdownMessage = /* @__PURE__ */ object(() => ({
  low: number,
  high: number,
  epsilon: nullable(number),
  sentence: text,
}));
export type BreakdownMessage = Infer<typeof breakdownMessage>;

/**
 * One effect.
 *
 * `layout` names its numbers in the buffers: the effect, some of the rows' curves, and in the form `rows` the rows
 * behind it: "curves" of every row, or the different ones with the `place` of each row's among them; "windows" the
 * values of groups, one after the other, with the `row` of each; "bins" the same, and the `position` of each row on
 * the grid, in steps; where `bands` says so, for a page with neither rows nor kernel, bounds at every step of ε.
 * `starts` says where the groups begin. `empty` are points of two features in whose cells no row lies. `interval` says
 * what the interval is, `covers` which reweightings the certified band covers, `scale` where intervals are symmetric;
 * `quantiles` are Student's t at 1/df = 0 … 1, none where intervals are drawn.
 */
export const effectPartMessage = /* @__PURE__ */ object(() => ({
  features: texts,
  kind: oneOf("pd", "cd", "ale", "dale"),
  title: text,
  method: text,
  interval: text,
  covers: text,
  notes: texts,
  axes: list(effectAxisMessage),
  empty: numbers,
  rows: oneOf("curves", "windows", "bins", "none"),
  bands: flag,
  n_sample: number,
  starts: numbers,
  lipschitz: nullable(numbers),
  breakdowns: list(nullable(breakdownMessage)),
  quantiles: numbers,
  confidence: number,
  scale: oneOf("identity", "logit"),
  layout: object(() => ({ floats: list(arrayMessage), integers: list(arrayMessage) })),
}));
export type EffectPartMessage = Infer<typeof effectPartMessage>;

/** Effects that were requested later. */
export const morePartsMessage = /* @__PURE__ */ object(() => ({
  parts: list(effectPartMessage),
}));
export type MorePartsMessage = Infer<typeof morePartsMessage>;

/** One kind of effect: its name in code, its words inside a sentence, and its letters beside a curve. */
export const effectKindMessage = /* @__PURE__ */ object(() => ({
  name: oneOf("pd", "cd", "ale", "dale"),
  label: text,
  short: text,
}));
export type EffectKindMessage = Infer<typeof effectKindMessage>;

/**
 * What `FeatureEffectView` carries besides its buffers.
 *
 * `responses` are what is followed for each class, "probability of b"; `classes` those to choose from, one entry where
 * there is nothing to choose; `features` those that can be asked for, where `live` says that there is a kernel to ask.
 * `unstressable` says why no stress can be shown, "" where one can. `epsilons` are the steps of the slider, from 0 to
 * 1. `weighted`: the floats end with one weight per row. `columns_complete`: whether the columns are of every feature
 * that can be moved. `by`: what rows can be told apart by.
 */
export const effectMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  model: text,
  n_rows: number,
  response: text,
  responses: texts,
  response_kind: oneOf("share", "value"),
  classes: notEmpty(texts, "have at least one entry"),
  kinds: list(effectKindMessage),
  features: texts,
  live: flag,
  unstressable: text,
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  epsilons: numbers,
  weighted: flag,
  columns_complete: flag,
  by: texts,
  parts: notEmpty(list(effectPartMessage), "hold at least one effect"),
}));
export type EffectMessage = Infer<typeof effectMessage>;

/** What the kernel is at: a `task`, "" where it has none, what it is `doing` and how much is done, or an `error`. */
export const effectProgressMessage = /* @__PURE__ */ object(() => ({
  task: optional(oneOf("", "effect", "attack"), ""),
  doing: optional(text, ""),
  done: optional(number, 0),
  total: optional(number, 0),
  error: optional(text, ""),
}));
export type EffectProgressMessage = Infer<typeof effectProgressMessage>;

/**
 * What stays of a view of metrics in groups, whatever the population.
 *
 * `by` is what groups are told apart by, "" without, when `groups` has one "" of all rows. `offline` says why no other
 * population can be asked for, "" where one can.
 */
export const groupedMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  by: text,
  groups: notEmpty(texts, "name a group"),
  confidence: number,
  interval: text,
  offline: text,
}));
export type GroupedMessage = Infer<typeof groupedMessage>;

/**
 * A population, as several views follow it.
 *
 * `stress` is what views share, unstressed of the result's own population, which `moved` says to be another than the
 * rows as tested. `aside` follows its `words`: which groups are on their way, or cannot be had. `doubt` is what of the
 * weights speaks against any number.
 */
export const followedMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  moved: optional(flag, false),
  aside: optional(text, ""),
  level: optional(oneOf("reliable", "wide", "unreliable"), "reliable"),
  doubt: optional(text, ""),
}));
export type FollowedMessage = Infer<typeof followedMessage>;

/**
 * What a rule asks of one feature, and where its edges can be put.
 *
 * `cuts` are the ends of cells, ascending: cell c reaches from above cut c − 1 up to cut c; `over` and `up_to` are
 * each in words as a lower and as an upper end. `inside` has an entry for each cell, of levels for each level: whether
 * the rule as grown holds it. `movable` is false for more levels than can be toggled. `value` is the row's own, None
 * for a missing one.
 */
export const ruleAxisMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("number", "levels"),
  whole: flag,
  movable: flag,
  words: text,
  cuts: each("cut", numbers),
  over: each("cut", texts),
  up_to: each("cut", texts),
  levels: texts,
  inside: list(flag),
  missing: flag,
  can_miss: flag,
  value: nullable(number),
  value_words: text,
  lowest: number,
  highest: number,
  lowest_words: text,
  highest_words: text,
}));
export type RuleAxisMessage = Infer<typeof ruleAxisMessage>;

/** Rows that were counted; `precision` and the ends of its interval are None where there is none. */
export const ruleShareMessage = /* @__PURE__ */ object(() => ({
  n_rows: number,
  n_inside: number,
  coverage: number,
  precision: nullable(number),
  lower: nullable(number),
  upper: nullable(number),
}));
export type RuleShareMessage = Infer<typeof ruleShareMessage>;

/** One rule; `condition` is what it asks, in words. */
export const ruleMessage = /* @__PURE__ */ object(() => ({
  name: text,
  condition: text,
  axes: list(ruleAxisMessage),
  sdp: number,
  sdp_min: number,
  training: ruleShareMessage,
  held_out: nullable(ruleShareMessage),
  sentence: text,
  proof: text,
  proved: oneOf("proved", "refuted", "open", "none"),
}));
export type RuleMessage = Infer<typeof ruleMessage>;

/** Share of the sufficient sets that a feature is in. */
export const importanceMessage = /* @__PURE__ */ object(() => ({
  name: text,
  share: number,
}));
export type ImportanceMessage = Infer<typeof importanceMessage>;

/**
 * Sets of one size, the most probable first, each as positions in `features` with its probability.
 *
 * `minimal` are the places of those none of whose parts suffices, and `rules` the rule of each, −1 where it has none.
 * `n_tried` were looked at, of `n_all` there are.
 */
export const subsetsSizeMessage = /* @__PURE__ */ object(() => ({
  size: number,
  n_tried: number,
  n_all: number,
  sets: each("set", list(numbers)),
  sdp: each("set", numbers),
  minimal: each("minimal set", numbers),
  rules: each("minimal set", numbers),
}));
export type SubsetsSizeMessage = Infer<typeof subsetsSizeMessage>;

/** Every size of which any set was tried; of a greedy search the sets on its way. */
export const subsetsMessage = /* @__PURE__ */ object(() => ({
  features: texts,
  greedy: flag,
  sizes: list(subsetsSizeMessage),
}));
export type SubsetsMessage = Infer<typeof subsetsMessage>;

/**
 * Values of a regression that count as the same: `t` is None where an interval was given.
 *
 * `lowest` and `highest` are those of any of the forest's rows.
 */
export const sameMessage = /* @__PURE__ */ object(() => ({
  decided: number,
  low: number,
  high: number,
  t: nullable(number),
  lowest: number,
  highest: number,
}));
export type SameMessage = Infer<typeof sameMessage>;

/**
 * Shares given the values of one set: of ascending `values`, or of the classes named; each empty for the other.
 *
 * `own` is the row's class among those named, −1 where there are none; `n_others` classes share what is left.
 * `mean` is None for classes; `ess` is the effective sample size of the rows' weights.
 */
export const distributionMessage = /* @__PURE__ */ object(() => ({
  name: text,
  values: numbers,
  classes: texts,
  shares: numbers,
  own: number,
  n_others: number,
  mean: nullable(number),
  ess: number,
}));
export type DistributionMessage = Infer<typeof distributionMessage>;

/**
 * The rules of a row; −1 for values given.
 *
 * `n_rows` and `n_training` are of the rows in the buffers, `sampled` says that they are not all. `more` says how many
 * minimal sets have no rule. `same` is None for classes; `distributions` are of the rules' sets, and where there is no
 * rule of the nearest.
 */
export const rulesAnswerMessage = /* @__PURE__ */ object(() => ({
  row: number,
  pi: number,
  answer: text,
  reached: flag,
  status: text,
  rules: list(ruleMessage),
  more: text,
  importance: list(importanceMessage),
  subsets: subsetsMessage,
  same: nullable(sameMessage),
  distributions: list(distributionMessage),
  notes: texts,
  n_rows: number,
  n_training: number,
  weighted: flag,
  sampled: text,
}));
export type RulesAnswerMessage = Infer<typeof rulesAnswerMessage>;

/** One feature of a rule; its values are numbers, codes of `levels`, or whole days since 1970 of dates. */
export const rulesListedColumnMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("number", "levels", "date", "duration"),
  whole: flag,
  levels: texts,
}));
export type RulesListedColumnMessage = Infer<typeof rulesListedColumnMessage>;

/**
 * How the rows listed are read; `classes` is empty for a regression, `score` "" where there is none.
 *
 * `n_study` are the rows there are, of which those in the buffers may be a sample.
 */
export const rulesListedMessage = /* @__PURE__ */ object(() => ({
  columns: list(rulesListedColumnMessage),
  classes: texts,
  score: text,
  probability: flag,
  n_study: number,
}));
export type RulesListedMessage = Infer<typeof rulesListedMessage>;

/** One rule under the stress; `below` says that it stops holding, "" where it holds. */
export const stressedRuleMessage = /* @__PURE__ */ object(() => ({
  sdp: number,
  sdp_min: number,
  training: ruleShareMessage,
  held_out: optional(nullable(ruleShareMessage), null),
  below: text,
}));
export type StressedRuleMessage = Infer<typeof stressedRuleMessage>;

/** How far numbers can be relied on, and why not farther, "" of reliable ones. */
export const doubtMessage = /* @__PURE__ */ object(() => ({
  level: oneOf("reliable", "wide", "unreliable"),
  words: text,
}));
export type DoubtMessage = Infer<typeof doubtMessage>;

/**
 * The rules of `row` at `pi` and `t` under one stress.
 *
 * `doubt` is what of the weights speaks against any number of this population.
 */
export const stressedMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  row: number,
  pi: number,
  t: nullable(number),
  doubt: optional(doubtMessage, { level: "reliable", words: "" }),
  rules: optional(list(stressedRuleMessage), []),
}));
export type StressedMessage = Infer<typeof stressedMessage>;

/** What the kernel is `doing` for a row and a π, or an `error`. */
export const rulesProgressMessage = /* @__PURE__ */ object(() => ({
  row: number,
  pi: number,
  doing: text,
  error: text,
}));
export type RulesProgressMessage = Infer<typeof rulesProgressMessage>;

/** What `RulesView` carries besides its answer; `offline` says why no kernel can be asked, "" where one can. */
export const rulesMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  model: text,
  n_rows: number,
  live: flag,
  offline: text,
}));
export type RulesMessage = Infer<typeof rulesMessage>;

/** A measure: its name in code, its words on screen, and its unit; `kind` "points" is of a difference of shares. */
export const calibrationMeasureMessage = /* @__PURE__ */ object(() => ({
  name: text,
  label: text,
  kind: oneOf("points", "share", "value"),
}));
export type CalibrationMeasureMessage = Infer<typeof calibrationMeasureMessage>;

/** What `CalibrationView` shows whatever the stress. */
export const calibrationMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  by: text,
  groups: notEmpty(texts, "name a group"),
  confidence: number,
  interval: text,
  offline: text,
  target_class: text,
  measures: list(calibrationMeasureMessage),
}));
export type CalibrationMessage = Infer<typeof calibrationMessage>;

/** A bin that has rows; `left` and `right` are its edges, and of few rows it may have no interval. */
export const calibrationBinMessage = /* @__PURE__ */ object(() => ({
  left: number,
  right: number,
  predicted: number,
  observed: number,
  lower: numberOrNaN,
  upper: numberOrNaN,
  n_rows: number,
  ess: number,
  share: number,
  level: oneOf("reliable", "wide", "unreliable"),
  why: text,
}));
export type CalibrationBinMessage = Infer<typeof calibrationBinMessage>;

/**
 * A measure as tested and now, None where it is not defined; the change is None without a stress, or without one.
 *
 * `if_calibrated` is what a calibrated model would have, now.
 */
export const calibrationMeasuredMessage = /* @__PURE__ */ object(() => ({
  before: numberOrNaN,
  before_lower: numberOrNaN,
  before_upper: numberOrNaN,
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  if_calibrated: numberOrNaN,
  change: numberOrNaN,
  change_lower: numberOrNaN,
  change_upper: numberOrNaN,
  level: oneOf("reliable", "wide", "unreliable"),
  why: text,
}));
export type CalibrationMeasuredMessage = Infer<typeof calibrationMeasuredMessage>;

/** Rows that are told of; `tested` and `bins` are the diagram as tested and now, histograms have 20 shares each. */
export const calibratedGroupMessage = /* @__PURE__ */ object(() => ({
  ess: number,
  n_rows: number,
  tested: list(calibrationBinMessage),
  bins: list(calibrationBinMessage),
  tested_scores: numbers,
  scores: numbers,
  measures: list(calibrationMeasuredMessage),
}));
export type CalibratedGroupMessage = Infer<typeof calibratedGroupMessage>;

/** Largest less smallest of a measure, which are places among the groups. */
export const calibrationGapMessage = /* @__PURE__ */ object(() => ({
  measure: number,
  largest: number,
  smallest: number,
  gap: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
}));
export type CalibrationGapMessage = Infer<typeof calibrationGapMessage>;

/** Calibration in one population, beside the rows as tested. */
export const calibrationShownMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  moved: optional(flag, false),
  aside: optional(text, ""),
  level: optional(oneOf("reliable", "wide", "unreliable"), "reliable"),
  doubt: optional(text, ""),
  groups: optional(list(calibratedGroupMessage), []),
  gaps: optional(list(calibrationGapMessage), []),
  notes: optional(texts, []),
}));
export type CalibrationShownMessage = Infer<typeof calibrationShownMessage>;

/**
 * One metric of both models, and second minus first; numbers are None where there are none.
 *
 * `better` is 0 or 1 for the first or second model, −1 for neither.
 */
export const comparedPairMessage = /* @__PURE__ */ object(() => ({
  first: numberOrNaN,
  first_lower: numberOrNaN,
  first_upper: numberOrNaN,
  second: numberOrNaN,
  second_lower: numberOrNaN,
  second_upper: numberOrNaN,
  difference: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  better: number,
  reliability: oneOf("reliable", "wide", "unreliable"),
  note: text,
}));
export type ComparedPairMessage = Infer<typeof comparedPairMessage>;

/** One metric: its name in code, its words on screen, how its values are written, and what it counts. */
export const metricMessage = /* @__PURE__ */ object(() => ({
  name: text,
  label: text,
  kind: oneOf("share", "score", "value"),
  events: texts,
}));
export type MetricMessage = Infer<typeof metricMessage>;

/** What `ModelComparisonView` shows of the rows as tested; `offline` says why there is no other population. */
export const modelComparisonMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  names: tuple(text, text),
  n_rows: number,
  confidence: number,
  metrics: each("metric", notEmpty(list(metricMessage), "name at least one metric")),
  tested: each("metric", list(comparedPairMessage)),
  note: text,
  offline: text,
}));
export type ModelComparisonMessage = Infer<typeof modelComparisonMessage>;

/** Both models under one stress; of the result's own population `stress` moves nothing. */
export const comparedMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  level: optional(oneOf("reliable", "wide", "unreliable"), "reliable"),
  doubt: optional(text, ""),
  pairs: optional(list(comparedPairMessage), []),
}));
export type ComparedMessage = Infer<typeof comparedMessage>;

/**
 * One metric with its interval, null where there is none.
 *
 * `reason` is what decides over its reliability, a place among those of the message; `amount` what its sentence
 * quotes, null for ∞.
 */
export const estimateMessage = /* @__PURE__ */ object(() => ({
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  reason: number,
  amount: nullAs(Infinity, number),
}));
export type EstimateMessage = Infer<typeof estimateMessage>;

/** What the kernel says of each place: how many rows there are, and their share of all as tested. */
export const placesMessage = /* @__PURE__ */ object(() => ({
  n_rows: numbers,
  unstressed: list(estimateMessage),
}));
export type PlacesMessage = Infer<typeof placesMessage>;

/**
 * The matrix: names of its rows and columns, and for each cell of the outcomes its place, row by row.
 *
 * Columns are classes predicted. Rows are the true classes, or, where the cells do not tell these apart, whether
 * the prediction is true. `in_kernel` is there where the page has not the rows.
 */
export const confusionMessage = /* @__PURE__ */ object(() => ({
  rows_are: oneOf("truth", "right"),
  rows: texts,
  columns: texts,
  place: numbers,
  in_kernel: optional(nullable(placesMessage), null),
}));
export type ConfusionMessage = Infer<typeof confusionMessage>;

/**
 * One feature: how it reads, what its slider says, and the edges of its histogram.
 *
 * `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
 * else "". `edges` is ascending, in the feature's
 * unit; empty for a share, which has no histogram. `open_ends` tells whether the first and the last bar hold all rows
 * beyond, and are drawn wider for it. `note_low` and `note_high` say what is unusual about τ < 0 and τ > 0, "" when
 * nothing. `first` has for each metric the place of the τ to try first, -1 where there is none.
 */
export const curvesFeatureMessage = /* @__PURE__ */ object(() => ({
  name: text,
  column: text,
  level: nullable(text),
  kind: oneOf("numeric", "share"),
  integer: flag,
  unit: optional(text, ""),
  mean: number,
  n_missing: number,
  note_low: text,
  note_high: text,
  first: optional(numbers, []),
  edges: ascending,
  open_ends: list(flag),
}));
export type CurvesFeatureMessage = Infer<typeof curvesFeatureMessage>;

/** One feature left out. */
export const skippedMessage = /* @__PURE__ */ object(() => ({
  name: text,
  reason: text,
}));
export type SkippedMessage = Infer<typeof skippedMessage>;

/**
 * What `StressCurvesView` carries beside its buffers. `taus` ascends and contains 0; `hold` is what stays.
 *
 * `beside` names the model whose curves are drawn in the same axes, "" for none. `by` are what rows can be told apart
 * by, and `live` whether there is a kernel to follow such groups.
 */
export const stressCurvesMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  task: optional(text, ""),
  taus: ascending,
  confidence: number,
  interval: text,
  hold: oneOf("none", "means", "uncorrelated"),
  features: list(curvesFeatureMessage),
  skipped: list(skippedMessage),
  metrics: notEmpty(list(metricMessage), "name at least one metric"),
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  beside: optional(text, ""),
  by: optional(texts, []),
  live: optional(flag, false),
  offline: optional(text, ""),
  layout: object(() => ({
    curves: list(arrayMessage),
    population: list(arrayMessage),
    histograms: list(arrayMessage),
    reasons: list(arrayMessage),
  })),
}));
export type StressCurvesMessage = Infer<typeof stressCurvesMessage>;

/** Whose numbers come next: a feature under one kind of shift. */
export const curvesBlockMessage = /* @__PURE__ */ object(() => ({
  feature: text,
  shift: oneOf("marginal", "within"),
}));
export type CurvesBlockMessage = Infer<typeof curvesBlockMessage>;

/**
 * Groups of rows, and of which features and shifts their numbers are; `error` says why there are none.
 *
 * `metrics` are those that have numbers by group, `worse` which way each gets worse. `notes` say what each kind of
 * shift is, in words.
 */
export const curvesGroupsMessage = /* @__PURE__ */ object(() => ({
  by: text,
  error: text,
  labels: optional(texts, []),
  group_rows: optional(numbers, []),
  metrics: optional(texts, []),
  worse: optional(list(oneOf("higher", "lower", "either")), []),
  blocks: optional(list(curvesBlockMessage), []),
  layout: optional(list(arrayMessage), []),
  notes: optional(
    object(() => ({ marginal: text, within: text })),
    { marginal: "", within: "" },
  ),
}));
export type CurvesGroupsMessage = Infer<typeof curvesGroupsMessage>;

/**
 * One feature moved one way; numbers are None where it cannot be moved so far, or the metric is not defined.
 *
 * `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones,
 * else "". `distance` is the total variation, and
 * of a shift out of reach the most that it has.
 */
export const harmShiftMessage = /* @__PURE__ */ object(() => ({
  feature: text,
  kind: oneOf("numeric", "share"),
  unit: text,
  direction: oneOf("down", "up"),
  mean: number,
  target: numberOrNaN,
  tau: numberOrNaN,
  value: numberOrNaN,
  change: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  distance: number,
  ess: numberOrNaN,
  reliability: oneOf("reliable", "wide", "unreliable", "out of reach"),
  note: text,
}));
export type HarmShiftMessage = Infer<typeof harmShiftMessage>;

/**
 * What `StressHarmView` shows: shifts in the order of the table.
 *
 * `distance` is the total variation asked for, `size` the same in words; `before` is the metric as it is; `hold` is
 * what stays while a feature moves.
 */
export const stressHarmMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  size: text,
  n_rows: number,
  metric: metricMessage,
  before: numberOrNaN,
  distance: number,
  confidence: number,
  interval: text,
  hold: oneOf("none", "means", "uncorrelated"),
  shifts: list(harmShiftMessage),
}));
export type StressHarmMessage = Infer<typeof stressHarmMessage>;

/**
 * What `StressImageView` carries beside its buffers.
 *
 * `shape` is height, width, channels; `taus` ascends and contains 0; `intervals` says whether the ends of the
 * intervals came along.
 */
export const stressImageMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  shape: tuple(number, number, number),
  taus: ascending,
  confidence: number,
  metrics: notEmpty(list(metricMessage), "name at least one metric"),
  intervals: flag,
  notes: texts,
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  layout: object(() => ({
    answers: list(arrayMessage),
    population: list(arrayMessage),
    reasons: list(arrayMessage),
  })),
}));
export type StressImageMessage = Infer<typeof stressImageMessage>;

/** What makes up a loss: 0 or 1 of each cell, or the squares of a power; see `SummedMetric.counted`. */
export const countedMessage = /* @__PURE__ */ object(() => ({
  cells: numbers,
  power: number,
}));
export type CountedMessage = Infer<typeof countedMessage>;

/**
 * One metric, and how it follows from sums over the rows.
 *
 * A ratio has a number for every cell in `top` and `bottom`, 0 or 1 for a rate; a mean of ratios those of one after
 * the other; the others are of one power of the
 * rows, at `centre` and in multiples of `unit`. `scale` is where the interval is symmetric. `tail` is, of a spread,
 * the Pareto k̂ of the squares it is the mean of, None for ∞. `events` names what it counts and what it does not.
 */
export const outcomeMetricMessage = /* @__PURE__ */ object(() => ({
  name: text,
  label: text,
  kind: oneOf("share", "score", "value"),
  form: oneOf("ratio", "mean_ratio", "mean", "variance", "root_mean", "explained", "ranked", "by_rows"),
  top: numbers,
  bottom: numbers,
  power: number,
  centre: number,
  unit: number,
  scale: oneOf("logit", "log", "complement", "plain"),
  tail: nullAs(Infinity, number),
  counted: optional(list(countedMessage), []),
  events: texts,
}));
export type OutcomeMetricMessage = Infer<typeof outcomeMetricMessage>;

/**
 * What the metrics are made of: the number of cells and powers of `answers`, and the metrics.
 *
 * `confusion` tells what the cells stand for, None where no matrix is to be shown.
 */
export const outcomesMessage = /* @__PURE__ */ object(() => ({
  n_cells: number,
  n_powers: number,
  confusion: optional(nullable(confusionMessage), null),
  metrics: notEmpty(list(outcomeMetricMessage), "name at least one metric"),
}));
export type OutcomesMessage = Infer<typeof outcomesMessage>;

/** How the mean that τ = -1 or τ = 1 stands for follows the rows; see `tauscope.stress.column.tau_end`. */
export const tauEndMessage = /* @__PURE__ */ object(() => ({
  slope: number,
  follows: number,
  doubt_from: number,
  with_heap: flag,
}));
export type TauEndMessage = Infer<typeof tauEndMessage>;

/** Both ends of a feature's τ. */
export const tauEndsMessage = /* @__PURE__ */ object(() => ({
  low: tauEndMessage,
  high: tauEndMessage,
}));
export type TauEndsMessage = Infer<typeof tauEndsMessage>;

/**
 * What `JointStressView` carries beside columns and outcomes.
 *
 * `ends`, `edges`, `open_ends` and `histograms` go by feature, edges and histograms empty for a share; `open_ends`
 * tells whether the first and the last bar hold all rows beyond, and are drawn wider for it; `unstressed` by metric;
 * what decides over a metric's reliability is a place among `reliability`. `pareto_k` is of the rows' own weights.
 */
export const jointStressMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  task: optional(text, ""),
  confidence: number,
  interval: text,
  ess: number,
  pareto_k: nullAs(Infinity, number),
  unstressed: list(estimateMessage),
  ends: each("feature", list(tauEndsMessage)),
  edges: each("feature", list(ascending)),
  open_ends: each("feature", list(list(flag))),
  histograms: each("feature", list(numbers)),
  skipped: list(skippedMessage),
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  outcomes: outcomesMessage,
}));
export type JointStressMessage = Infer<typeof jointStressMessage>;

/** The kernel's answer to one stress, named by it; `reason` says why it has no numbers. */
export const jointAnswerMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  status: oneOf("solved", "limit", "infeasible", "unsolved"),
  reason: text,
}));
export type JointAnswerMessage = Infer<typeof jointAnswerMessage>;

/** Where it has: `achieved` and `histograms` go by feature, `confusion` by place of the matrix. */
export const jointNumbersMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  status: oneOf("solved", "limit", "infeasible", "unsolved"),
  reason: text,
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
  carriers: carriersMessage,
  achieved: list(numberOrNaN),
  estimates: list(estimateMessage),
  confusion: optional(list(estimateMessage), []),
  histograms: list(numbers),
}));
export type JointNumbersMessage = Infer<typeof jointNumbersMessage>;

/** The lowest and the highest τ that others leave to each feature; None where there is none, or none is known. */
export const jointRangesMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  ranges: recordOf(nullable(tuple(number, number))),
}));
export type JointRangesMessage = Infer<typeof jointRangesMessage>;

/** One of the two features: `targets` are the means that the τ stand for, in its unit. */
export const surfaceSideMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("numeric", "share"),
  targets: ascending,
  note_low: text,
  note_high: text,
}));
export type SurfaceSideMessage = Infer<typeof surfaceSideMessage>;

/**
 * What `StressSurfaceView` carries beside its buffers.
 *
 * `taus` ascends and contains 0; `status` lists places (first τ × number of τ + second τ) that are not "solved".
 */
export const stressSurfaceMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  taus: ascending,
  confidence: number,
  interval: text,
  sides: tuple(surfaceSideMessage, surfaceSideMessage),
  metrics: notEmpty(list(metricMessage), "name at least one metric"),
  reliability: notEmpty(list(reasonMessage), "name at least one reason"),
  status: object(() => ({ limit: numbers, infeasible: numbers, unconverged: numbers })),
  layout: object(() => ({
    answers: list(arrayMessage),
    population: list(arrayMessage),
    reasons: list(arrayMessage),
  })),
}));
export type StressSurfaceMessage = Infer<typeof stressSurfaceMessage>;

/** A threshold of least cost, the ends of those that cannot be told from it, and what it costs a row. */
export const bestThresholdMessage = /* @__PURE__ */ object(() => ({
  threshold: number,
  lower: number,
  upper: number,
  cost: number,
}));
export type BestThresholdMessage = Infer<typeof bestThresholdMessage>;

/**
 * Rows that thresholds are chosen for; `name` is "" of all rows together.
 *
 * `share` is of all weight, in [0, 1]; `n_reached` counts the thresholds that some of the rows reach. Best thresholds
 * are None where there is none.
 */
export const thresholdGroupMessage = /* @__PURE__ */ object(() => ({
  name: text,
  ess: number,
  n_rows: number,
  share: number,
  n_reached: number,
  best_tested: nullable(bestThresholdMessage),
  best: nullable(bestThresholdMessage),
}));
export type ThresholdGroupMessage = Infer<typeof thresholdGroupMessage>;

/**
 * What `ThresholdCurvesView` shows whatever the stress and the thresholds chosen.
 *
 * `present` is None where no threshold of the score made the predictions; `costs` is "", and there is no metric
 * "cost", without the truth; `none_reaches` says of a threshold that it is above every score.
 */
export const thresholdsMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  by: text,
  groups: notEmpty(texts, "name a group"),
  confidence: number,
  interval: text,
  offline: text,
  metrics: notEmpty(list(metricMessage), "name at least one metric"),
  present: nullable(number),
  costs: text,
  none_reaches: text,
  notes: texts,
}));
export type ThresholdsMessage = Infer<typeof thresholdsMessage>;

/** Decisions at every threshold in one population; `notes` are those that numbers refer to. */
export const decisionsMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  moved: optional(flag, false),
  aside: optional(text, ""),
  level: optional(oneOf("reliable", "wide", "unreliable"), "reliable"),
  doubt: optional(text, ""),
  thresholds: optional(ascending, []),
  groups: optional(list(thresholdGroupMessage), []),
  notes: optional(list(doubtMessage), []),
  layout: optional(list(arrayMessage), []),
}));
export type DecisionsMessage = Infer<typeof decisionsMessage>;

/** A metric on the new rows; None where it is not defined, and in `reason` why it is not reliable. */
export const towardsObservedMessage = /* @__PURE__ */ object(() => ({
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  level: oneOf("reliable", "wide", "unreliable"),
  reason: text,
}));
export type TowardsObservedMessage = Infer<typeof towardsObservedMessage>;

/**
 * A feature of the love plot; `smd` is the mean less that there, standard deviations, before anything is moved.
 *
 * `unit` is "year" for dates as decimal years, "days" for durations, "0/1" for zeros and ones, else "".
 */
export const towardsFeatureMessage = /* @__PURE__ */ object(() => ({
  name: text,
  kind: oneOf("numeric", "share"),
  unit: text,
  before: number,
  there: number,
  smd: number,
}));
export type TowardsFeatureMessage = Infer<typeof towardsFeatureMessage>;

/**
 * What `TargetPopulationView` shows whatever the amount.
 *
 * `n_new` is 0 for a table of margins; `amounts` are those of the slider, ascending; `before` is each metric as
 * tested; `observed` is empty without labels of the new rows; `features` are those farthest before first; `taus` say
 * all of the way by feature as views share it, and where sliders cannot, `unsaid` why.
 */
export const targetPopulationMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  n_new: number,
  there: text,
  confidence: number,
  interval: text,
  amounts: notEmpty(numbers, "have an amount"),
  metrics: each("metric", notEmpty(list(metricMessage), "name at least one metric")),
  before: each("metric", list(numberOrNaN)),
  observed: list(towardsObservedMessage),
  features: list(towardsFeatureMessage),
  taus: recordOf(number),
  unsaid: text,
  notes: texts,
}));
export type TargetPopulationMessage = Infer<typeof targetPopulationMessage>;

/**
 * One amount: the population in words, what is met, and how far to rely on each metric.
 *
 * `missed` are the farthest of the `n_missed` margins that are not met; `doubt`, "" for nothing, is what of the
 * weights speaks against any number. `compared`, "" for nothing, is what the labels of the new rows say of what was
 * expected, and `beyond` tells of each metric whether it differs by more than chance, None where that cannot be
 * judged; empty without labels.
 */
export const towardsStepMessage = /* @__PURE__ */ object(() => ({
  amount: number,
  population: text,
  met: text,
  missed: texts,
  n_missed: number,
  level: oneOf("reliable", "wide", "unreliable"),
  doubt: text,
  reliability: each("metric", list(oneOf("reliable", "wide", "unreliable"))),
  reasons: each("metric", texts),
  compared: text,
  beyond: list(nullable(flag)),
}));
export type TowardsStepMessage = Infer<typeof towardsStepMessage>;

/** The amounts that are there, ascending, and how many of all; `problem` says why there are no more. */
export const towardsPathMessage = /* @__PURE__ */ object(() => ({
  steps: notEmpty(list(towardsStepMessage), "have a step"),
  layout: list(arrayMessage),
  done: number,
  total: number,
  problem: text,
}));
export type TowardsPathMessage = Infer<typeof towardsPathMessage>;

/** The choice made on part of the rows, read on the others; `failed`, else "", says why it cannot be read. */
export const worstHeldOutMessage = /* @__PURE__ */ object(() => ({
  n_chosen_on: number,
  n_rows: number,
  before: numberOrNaN,
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  level: oneOf("reliable", "wide", "unreliable"),
  why: text,
  failed: text,
}));
export type WorstHeldOutMessage = Infer<typeof worstHeldOutMessage>;

/** What `WorstCaseView` shows whatever the amount; `held_out` is of all that was allowed, None where not asked. */
export const worstCaseMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  n_rows: number,
  worse: oneOf("higher", "lower"),
  reach: nullable(number),
  metric: metricMessage,
  before: number,
  held_out: nullable(worstHeldOutMessage),
  confidence: number,
  interval: text,
}));
export type WorstCaseMessage = Infer<typeof worstCaseMessage>;

/** The mean of a feature, and how far it is moved, standard deviations before; None where it has none. */
export const worstMarginMessage = /* @__PURE__ */ object(() => ({
  feature: text,
  words: text,
  smd: numberOrNaN,
}));
export type WorstMarginMessage = Infer<typeof worstMarginMessage>;

/**
 * The worst case within a part of what was allowed.
 *
 * `taus` are those of the sliders that make it; where they cannot, `unsaid` says why. `why`, "" of a reliable number,
 * is why the metric is not; `doubt`, "" for nothing, is what of the weights speaks against any number.
 */
export const worstStepMessage = /* @__PURE__ */ object(() => ({
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
  amount: number,
  allowed: text,
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  reliability: oneOf("reliable", "wide", "unreliable"),
  why: text,
  level: oneOf("reliable", "wide", "unreliable"),
  doubt: text,
  leans_on: text,
  margins: list(worstMarginMessage),
  taus: recordOf(number),
  unsaid: text,
  notes: texts,
}));
export type WorstStepMessage = Infer<typeof worstStepMessage>;

/** The amounts that are there, ascending, and how many of all; `problem` says why there are no more. */
export const worstPathMessage = /* @__PURE__ */ object(() => ({
  steps: notEmpty(list(worstStepMessage), "have a step"),
  done: number,
  total: number,
  problem: text,
}));
export type WorstPathMessage = Infer<typeof worstPathMessage>;

/** How far a population is from the rows as tested: effective sample, KL divergence, total variation, Pareto k̂. */
export const distanceMessage = /* @__PURE__ */ object(() => ({
  ess: number,
  kl: number,
  tv: number,
  pareto_k: nullAs(Infinity, number),
}));
export type DistanceMessage = Infer<typeof distanceMessage>;

/**
 * The population that the kernel answered in, named by its `stress`.
 *
 * `error` says why there are no numbers, "" where there are; `words` what the population is.
 */
export const answeredMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
}));
export type AnsweredMessage = Infer<typeof answeredMessage>;

/**
 * Some rows: how many, their share of all weight and of it the misclassified, as tested and under the stress.
 *
 * None where there is no stress, no row, or nothing is misclassified because nothing is labelled.
 */
export const rowGroupMessage = /* @__PURE__ */ object(() => ({
  n: number,
  share: number,
  share_after: nullable(number),
  errors: nullable(number),
  errors_after: nullable(number),
}));
export type RowGroupMessage = Infer<typeof rowGroupMessage>;

/** A view, and why it cannot be opened, "" where it can. */
export const workspaceViewMessage = /* @__PURE__ */ object(() => ({
  name: text,
  label: text,
  refused: text,
}));
export type WorkspaceViewMessage = Infer<typeof workspaceViewMessage>;

/** By which the data of scenarios are known again. */
export const dataDocument = /* @__PURE__ */ object(() => ({
  hash: text,
  n_rows: number,
  columns: texts,
}));
export type DataDocument = Infer<typeof dataDocument>;

/** Of which data scenarios are, and with what they are saved, as `tauscope.results.stress.scenario_file` has it. */
export const scenarioFileMessage = /* @__PURE__ */ object(() => ({
  schema: text,
  version: number,
  data: dataDocument,
  seed: nullable(number),
  packages: recordOf(text),
  quantile: number,
}));
export type ScenarioFileMessage = Infer<typeof scenarioFileMessage>;

/**
 * What `Workspace` carries besides its views.
 *
 * `title` says what is predicted, `model` by what, `notes` what is unusual about its answers. `live` says
 * whether the kernel can be asked, `offline` what to do where it cannot. `file` is what a file of scenarios says
 * besides them.
 */
export const workspaceMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  model: text,
  notes: texts,
  n_rows: number,
  n_columns: number,
  views: list(workspaceViewMessage),
  live: flag,
  offline: text,
  file: scenarioFileMessage,
}));
export type WorkspaceMessage = Infer<typeof workspaceMessage>;

/**
 * How far a view is: being computed, there, not to be had, or waiting for rows to be selected.
 *
 * `words` say what is being computed, or why there is none; `done` of `total`, where that is above 0, are done of
 * what `unit` counts: rows of the model that were predicted, rules. `again` tells whether it can be asked for once
 * more.
 */
export const openedMessage = /* @__PURE__ */ object(() => ({
  state: oneOf("working", "open", "failed", "cancelled", "waiting"),
  words: text,
  done: number,
  total: number,
  unit: text,
  again: flag,
}));
export type OpenedMessage = Infer<typeof openedMessage>;

/** A metric under one scenario, as a row of `ScenarioComparison.frame`. */
export const scenarioMetricMessage = /* @__PURE__ */ object(() => ({
  scenario: text,
  metric: text,
  value: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
  reliability: text,
  note: text,
  ess: number,
}));
export type ScenarioMetricMessage = Infer<typeof scenarioMetricMessage>;

/**
 * What the kernel answers a request by its `id`: text, or records of a comparison; a page's bytes are a buffer.
 *
 * `words` are of an error, as a person in Python would read it.
 */
export const requestAnswerMessage = /* @__PURE__ */ object(() => ({
  type: text,
  id: text,
  state: oneOf("done", "failed"),
  words: text,
  text: optional(text, ""),
  name: optional(text, ""),
  records: optional(list(scenarioMetricMessage), []),
  notes: optional(texts, []),
}));
export type RequestAnswerMessage = Infer<typeof requestAnswerMessage>;

/**
 * Which rows are drawn, at random by `seed`, of the `n` that a query finds; `stressed` where they could be weighed.
 *
 * Their order is that of the study, whatever they are sorted by.
 */
export const sampledMessage = /* @__PURE__ */ object(() => ({
  search: text,
  filter: oneOf("all", "errors", "near", "selected", "inside"),
  n: number,
  n_sent: number,
  seed: number,
  stress: readStress,
  stressed: flag,
}));
export type SampledMessage = Infer<typeof sampledMessage>;

/**
 * Share of all weight that the rows selected have, as tested and under a stress: None where it has no weights.
 *
 * `n` rows whose positions add up to `total` tell which rows were weighed.
 */
export const selectedMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  n: number,
  total: number,
  share: number,
  share_after: numberOrNaN,
}));
export type SelectedMessage = Infer<typeof selectedMessage>;

/** One column; `type` is how its values are written: codes of levels, the largest for missing, or floats. */
export const rowColumnMessage = /* @__PURE__ */ object(() => ({
  name: text,
  label: text,
  role: oneOf("predicted", "truth", "score", "error", "feature"),
  kind: oneOf("number", "levels", "date", "duration"),
  levels: texts,
  type: oneOf("u1", "u2", "u4", "f4", "f8"),
}));
export type RowColumnMessage = Infer<typeof rowColumnMessage>;

/**
 * What `RowTableView` carries besides its buffers.
 *
 * `weight_name` and `after_name` are what `sort` calls the weights. `filters` are those that say something of these
 * rows; `near` is the distance from `threshold` within which the rows nearest to it lie. `shipped` tells whether
 * the page has the rows; `ess` and `pareto_k` (null for ∞) are of the rows as tested. `offline` says why the page can
 * show no other stress, "" where it can.
 */
export const tableMessage = /* @__PURE__ */ object(() => ({
  version: version(1),
  title: text,
  model: text,
  notes: texts,
  n_rows: number,
  columns: list(rowColumnMessage),
  weight_name: text,
  after_name: text,
  task: oneOf("binary", "multiclass", "regression"),
  score_kind: oneOf("share", "value"),
  threshold: nullable(number),
  near: nullable(number),
  filters: list(oneOf("all", "errors", "near", "selected", "inside")),
  weighted: flag,
  ess: number,
  pareto_k: nullAs(Infinity, number),
  shipped: flag,
  live: flag,
  offline: text,
}));
export type TableMessage = Infer<typeof tableMessage>;

/** The rule that the filter "inside" is of, in words. */
export const insideMessage = /* @__PURE__ */ object(() => ({
  words: text,
}));
export type InsideMessage = Infer<typeof insideMessage>;

/** The rows under one stress; `doubt` is what of the weights speaks against any number of theirs. */
export const weighedMessage = /* @__PURE__ */ object(() => ({
  stress: readStress,
  error: text,
  words: optional(text, ""),
  ess: optional(number, Number.NaN),
  kl: optional(number, Number.NaN),
  tv: optional(number, Number.NaN),
  pareto_k: optional(nullAs(Infinity, number), Number.NaN),
  doubt: optional(doubtMessage, { level: "reliable", words: "" }),
}));
export type WeighedMessage = Infer<typeof weighedMessage>;

/** The rows from `start` on of those that a query finds under a stress; `stressed` where it could be weighed. */
export const tableListedMessage = /* @__PURE__ */ object(() => ({
  search: text,
  filter: oneOf("all", "errors", "near", "selected", "inside"),
  sort: text,
  descending: flag,
  start: number,
  stress: readStress,
  stressed: flag,
  n: number,
  n_sent: number,
  found: rowGroupMessage,
  selected: rowGroupMessage,
}));
export type TableListedMessage = Infer<typeof tableListedMessage>;

/** What the model of `BoundaryView` holds. */
export type BoundaryViewTraits = {
  answer: unknown;
  bounds: unknown;
  decision: unknown;
  edits: unknown;
  fixed: readonly string[];
  inspect: number;
  listed: unknown;
  message: unknown;
  path_values: Bytes;
  pictures: Bytes;
  progress: unknown;
  query: unknown;
  row: number;
  rows: Bytes;
  search: number;
  stop: number;
  target: string;
};

/** What the model of `PooledBoundaryView` holds. */
export type PooledBoundaryViewTraits = {
  answer: unknown;
  answer_pooled: Bytes;
  columns: Bytes;
  columns_message: unknown;
  compute: number;
  decisions: Bytes;
  directions: Bytes;
  distances: Bytes;
  given_rows: Bytes;
  message: unknown;
  n_features: number;
  order: string;
  places: Bytes;
  pooled: Bytes;
  presence: Bytes;
  progress: unknown;
  row: number;
  row_weights: Bytes;
  selection: readonly number[];
  stop: number;
  stress: unknown;
};

/** What the model of `FeatureEffectView` holds. */
export type FeatureEffectViewTraits = {
  answer: unknown;
  answer_floats: Bytes;
  attack: unknown;
  attacked: unknown;
  by: string;
  columns: Bytes;
  columns_message: unknown;
  compared: readonly string[];
  epsilon: number;
  features: readonly string[];
  floats: Bytes;
  follow: boolean;
  group_numbers: Bytes;
  groups: unknown;
  integers: Bytes;
  kind: string;
  message: unknown;
  more: unknown;
  more_floats: Bytes;
  more_integers: Bytes;
  progress: unknown;
  row_weights: Bytes;
  stop: number;
  stress: unknown;
  target_class: string;
};

/** What the model of `RulesView` holds. */
export type RulesViewTraits = {
  agrees: Bytes;
  answer: unknown;
  cells: Bytes;
  decided: Bytes;
  entries: Bytes;
  listed: unknown;
  message: unknown;
  pi: number;
  places: Bytes;
  progress: unknown;
  row: number;
  rule: number;
  scores: Bytes;
  sdp: Bytes;
  selection: readonly number[];
  stress: unknown;
  stressed: unknown;
  stressed_weights: Bytes;
  t: unknown;
  weights: Bytes;
};

/** What the model of `CalibrationView` holds. */
export type CalibrationViewTraits = {
  by: string;
  group: string;
  message: unknown;
  shown: unknown;
  stress: unknown;
};

/** What the model of `ModelComparisonView` holds. */
export type ModelComparisonViewTraits = {
  compared: unknown;
  message: unknown;
  stress: unknown;
};

/** What the model of `StressCurvesView` holds. */
export type StressCurvesViewTraits = {
  beside: Bytes;
  by: string;
  curves: Bytes;
  feature: string;
  group_numbers: Bytes;
  groups: unknown;
  histograms: Bytes;
  message: unknown;
  metric: string;
  population: Bytes;
  rank_by: string;
  reasons: Bytes;
  stress: unknown;
  tau: number;
  within: boolean;
};

/** What the model of `StressHarmView` holds. */
export type StressHarmViewTraits = {
  message: unknown;
  stress: unknown;
};

/** What the model of `StressImageView` holds. */
export type StressImageViewTraits = {
  against: string;
  answers: Bytes;
  message: unknown;
  population: Bytes;
  reasons: Bytes;
  tau: number;
};

/** What the model of `JointStressView` holds. */
export type JointStressViewTraits = {
  answer: unknown;
  answers: Bytes;
  columns: Bytes;
  columns_message: unknown;
  message: unknown;
  metric: string;
  ranges: unknown;
  row_weights: Bytes;
  stress: unknown;
};

/** What the model of `StressSurfaceView` holds. */
export type StressSurfaceViewTraits = {
  answers: Bytes;
  message: unknown;
  metric: string;
  population: Bytes;
  reasons: Bytes;
  stress: unknown;
};

/** What the model of `ThresholdCurvesView` holds. */
export type ThresholdCurvesViewTraits = {
  by: string;
  decisions: unknown;
  message: unknown;
  metric: string;
  numbers: Bytes;
  stress: unknown;
  thresholds: readonly number[];
};

/** What the model of `TargetPopulationView` holds. */
export type TargetPopulationViewTraits = {
  amount: number;
  message: unknown;
  numbers: Bytes;
  path: unknown;
  stress: unknown;
};

/** What the model of `WorstCaseView` holds. */
export type WorstCaseViewTraits = {
  amount: number;
  message: unknown;
  path: unknown;
  stress: unknown;
};

/** What the model of `RowTableView` holds. */
export type RowTableViewTraits = {
  choose: number;
  descending: boolean;
  display: string;
  entries: Bytes;
  feature: string;
  filter: string;
  inside: unknown;
  inside_rows: Bytes;
  listed: unknown;
  message: unknown;
  row: number;
  row_weights: Bytes;
  sample: Bytes;
  sample_weights: Bytes;
  sampled: unknown;
  search: string;
  selection: readonly number[];
  sort: string;
  start: number;
  stress: unknown;
  weighed: unknown;
  weighed_weights: Bytes;
  window: Bytes;
  x: string;
  y: string;
};

/** What the model of `Workspace` holds. */
export type WorkspaceTraits = {
  by: string;
  compute: number;
  feature: string;
  message: unknown;
  opened: unknown;
  row: number;
  scenarios: readonly unknown[];
  second_metric: string;
  selected: unknown;
  selection: readonly number[];
  stop: number;
  stress: unknown;
  view: string;
};
