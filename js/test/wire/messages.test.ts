/** What Python wrote is read, and refused where any field of it is missing that a message must have. */

import { expect, test } from "vitest";
import * as messages from "../../src/wire/messages";
import { type Schema, WireError } from "../../src/wire/schema";
import { readGolden } from "../support/golden";

const CASES: readonly (readonly [string, string, Schema<unknown>])[] = [
  ["boundary.json", "two.json.message", messages.boundaryMessage],
  ["boundary.json", "two.json.answer", messages.boundaryAnswersMessage],
  ["boundary.json", "words.json.answer", messages.boundaryAnswersMessage],
  ["boundary.json", "two.json.decision", messages.decisionMessage],
  ["effect.json", "age.json.message", messages.effectMessage],
  ["effect.json", "age.json.columns_message", messages.columnsMessage],
  ["effect_alone.json", "two.json.message", messages.effectMessage],
  ["pooled.json", "plain.json.message", messages.pooledMessage],
  ["rules.json", "levels.json.message", messages.rulesMessage],
  ["rules.json", "levels.json.answer", messages.rulesAnswerMessage],
  ["rules.json", "value.json.answer", messages.rulesAnswerMessage],
  ["stress_calibration.json", "groups.message", messages.calibrationMessage],
  ["stress_comparison.json", "message", messages.modelComparisonMessage],
  ["stress_curves.json", "message", messages.stressCurvesMessage],
  ["stress_harm.json", "message", messages.stressHarmMessage],
  ["stress_surface.json", "message", messages.stressSurfaceMessage],
  ["stress_thresholds.json", "groups.traits.message", messages.thresholdsMessage],
  ["stress_towards.json", "labelled.traits.message", messages.targetPopulationMessage],
  ["stress_towards.json", "labelled.traits.path", messages.towardsPathMessage],
  ["stress_worst_case.json", "means.message", messages.worstCaseMessage],
  ["stress_worst_case.json", "means.path", messages.worstPathMessage],
  ["table.json", "plain.json.message", messages.tableMessage],
];
/** What pages of earlier versions lack, and entries by a person's names. */
const ABSENT = /\.(task|unit|first|beside|by|live|n_values|(bounds|edits|taus)\.[^.]+)$/;

type Json = Record<string, unknown>;
const at = (value: unknown, path: string) =>
  path.split(".").reduce((one, name) => (one as Json)[name], value) as Json;

/** Every field of a value, of all that is in it, and what is left where it is taken away. */
function* without(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    const [first, ...more] = value;
    for (const [where, rest] of without(first, `${path}[0]`)) yield [where, [rest, ...more]];
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Json;
      yield [`${path}.${name}`, others];
      for (const [where, rest] of without(one, `${path}.${name}`)) yield [where, { ...value, [name]: rest }];
    }
  }
}

test.each(CASES)("%s: %s", (file, path, schema) => {
  const message = at(readGolden(file), path);
  expect(() => schema(message, "message")).not.toThrow();
  const accepted = [...without(message, "")].filter(([where, rest]) => {
    try {
      schema(rest, "message");
      return !ABSENT.test(where);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return false;
    }
  });
  expect(accepted.map(([where]) => where)).toEqual([]);
});
