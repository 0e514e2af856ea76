import { describe, expect, test } from "vitest";
import { rulesMessage, rulesProgressMessage } from "../../../src/wire/messages";
import { decodeAnswer } from "../../../src/wire/rules/rules";
import { unlessEmpty } from "../../../src/wire/schema";
import { CASES, rulesTraits } from "../../support/rules_example";

test.each(CASES)("%s is read", (name) => {
  const traits = rulesTraits(name);
  expect(rulesMessage(traits.message, "message").live).toBe(true);
  const answer = decodeAnswer(traits);
  expect(answer.rules.length > 0).toBe(answer.reached);
  for (const { rows, axes } of answer.rules) {
    expect(rows.cells).toHaveLength(axes.length);
    expect(rows.sdp).toHaveLength(answer.n_training);
    expect(rows.weights?.length ?? 0).toBe(answer.weighted ? answer.n_rows : 0);
  }
});

describe("what does not keep to the contract", () => {
  const answer = rulesTraits().answer as { rules: { axes: object[] }[] };
  const axis = { ...answer.rules[0]?.axes[0], inside: [true] };
  const rules = [{ ...answer.rules[0], axes: [axis] }];

  test.each([
    ["another version", () => rulesMessage({ version: 2 }, "message"), /version 1 of the message/],
    [
      "fewer bytes",
      () => decodeAnswer(rulesTraits("levels", { cells: new Uint8Array(3) })),
      /"cells" must hold/,
    ],
    [
      "no words",
      () => decodeAnswer(rulesTraits("levels", { answer: { ...answer, rules } })),
      /axes\[0\]\.inside" must have an entry for each of/,
    ],
    ["no number", () => unlessEmpty(rulesProgressMessage)({ row: "a" }, "progress"), /progress.row/],
  ])("%s", (_, read, said) => {
    expect(read).toThrow(said);
  });

  test("nothing under way is no progress", () => {
    expect(unlessEmpty(rulesProgressMessage)({}, "progress")).toBe(null);
  });
});
