/** The messages of calibration: the same words as in Python, checked once, then only read. */

import { level } from "../reasons";
import {
  type Infer,
  list,
  number,
  numberOrNaN,
  object,
  oneOf,
  optional,
  text,
  texts,
  WireError,
} from "../schema";
import { followedFields, groupedFields } from "./followed";

const measureMessage = object({
  name: text,
  label: text,
  /** "points": a difference of shares. */
  kind: oneOf("points", "share", "value"),
});
export type MeasureMessage = Infer<typeof measureMessage>;

const calibrationMessage = object({
  ...groupedFields,
  target_class: text,
  measures: list(measureMessage),
});
export type CalibrationMessage = Infer<typeof calibrationMessage>;

const bin = object({
  left: number,
  right: number,
  predicted: number,
  observed: number,
  lower: numberOrNaN,
  upper: numberOrNaN,
  n_rows: number,
  ess: number,
  share: number,
  level,
  why: text,
});
export type Bin = Infer<typeof bin>;

const measured = object({
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
  gap: numberOrNaN,
  lower: numberOrNaN,
  upper: numberOrNaN,
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
