/** The messages of calibration: the same words as in Python, checked once, then only read. */

import { LEVELS } from "../reasons";
import {
  type Infer,
  list,
  notEmpty,
  nullAs,
  number,
  object,
  oneOf,
  optional,
  text,
  texts,
  version,
  WireError,
} from "../schema";
import { followedFields } from "./followed";

/** NaN where there is none. */
const known = nullAs(Number.NaN, number);
const level = oneOf(...LEVELS);

const measureMessage = object({
  name: text,
  label: text,
  /** "points": a difference of shares. */
  kind: oneOf("points", "share", "value"),
});
export type MeasureMessage = Infer<typeof measureMessage>;

const calibrationMessage = object({
  version: version(1),
  title: text,
  n_rows: number,
  target_class: text,
  /** What groups are told apart by; "" without. */
  by: text,
  /** Their names; one "" of all rows. */
  groups: notEmpty(texts, "name a group"),
  measures: list(measureMessage),
  confidence: number,
  interval: text,
  /** Why no other population can be asked for; "" where one can. */
  offline: text,
});
export type CalibrationMessage = Infer<typeof calibrationMessage>;

const bin = object({
  left: number,
  right: number,
  predicted: number,
  observed: number,
  lower: known,
  upper: known,
  n_rows: number,
  ess: number,
  share: number,
  level,
  why: text,
});
export type Bin = Infer<typeof bin>;

const measured = object({
  before: known,
  before_lower: known,
  before_upper: known,
  value: known,
  lower: known,
  upper: known,
  if_calibrated: known,
  change: known,
  change_lower: known,
  change_upper: known,
  level,
  why: text,
});
export type Measured = Infer<typeof measured>;

const group = object({
  ess: number,
  n_rows: number,
  tested: list(bin),
  bins: list(bin),
  /** Shares of the weight in bars of one width over [0, 1]. */
  tested_scores: list(number),
  scores: list(number),
  measures: list(measured),
});
export type CalibratedGroup = Infer<typeof group>;

const gap = object({
  measure: number,
  largest: number,
  smallest: number,
  gap: known,
  lower: known,
  upper: known,
});

const shownMessage = object({
  ...followedFields,
  groups: optional(list(group), []),
  gaps: optional(list(gap), []),
  notes: optional(texts, []),
});
export type Shown = Infer<typeof shownMessage>;

export type CalibrationTraits = {
  group: string;
  stress: unknown;
  message: unknown;
  shown: unknown;
};

export function decodeCalibration(value: unknown): CalibrationMessage {
  return calibrationMessage(value, "message");
}

export function decodeShown(value: unknown, { groups, measures }: CalibrationMessage): Shown {
  const shown = shownMessage(value, "shown");
  const fits = shown.groups.length === groups.length;
  if (!shown.error && !(fits && shown.groups.every((one) => one.measures.length === measures.length))) {
    throw new WireError(
      `"shown" must have ${groups.length} groups of ${measures.length} measures, received ${shown.groups.length}`,
    );
  }
  return shown;
}
