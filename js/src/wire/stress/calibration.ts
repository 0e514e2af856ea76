/** The messages of calibration: the same words as in Python, checked once, then only read. */

import {
  type CalibrationMessage,
  type CalibrationShownMessage,
  calibrationMessage,
  calibrationShownMessage,
} from "../messages";
import { WireError } from "../schema";

export function decodeCalibration(value: unknown): CalibrationMessage {
  return calibrationMessage(value, "message");
}

export function decodeShown(
  value: unknown,
  { groups, measures }: CalibrationMessage,
): CalibrationShownMessage {
  const shown = calibrationShownMessage(value, "shown");
  const fits = shown.groups.length === groups.length;
  if (!shown.error && !(fits && shown.groups.every((one) => one.measures.length === measures.length))) {
    throw new WireError(
      `"shown" must have ${groups.length} groups of ${measures.length} measures, received ${shown.groups.length}`,
    );
  }
  return shown;
}
