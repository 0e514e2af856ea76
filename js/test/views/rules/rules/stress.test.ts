// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import { countBox } from "../../../../src/solve/rules/count";
import { belowWords, rulesUnder, ruleUnder } from "../../../../src/views/rules/rules/stress";
import { rulesMessage } from "../../../../src/wire/messages";
import { decodeAnswer, decodeStressed, type Rule } from "../../../../src/wire/rules/rules";
import { UNSTRESSED } from "../../../../src/wire/shared_stress";
import { rulesGolden, rulesTraits } from "../../../support/rules_example";
import { mount } from "../../../support/rules_view";
import { painted } from "../../../support/view";

const STRESS = { taus: { slope: 0.5 }, hold: "none" } as const;
const BELOW = "age + slope falls below π = 0.9 under this stress: 89.7 % at a row inside.";

describe("under a stress", () => {
  test("numbers are said before and after, and where a rule stops holding", async () => {
    const view = mount(rulesTraits("stressed"));
    expect(view.text("population")).toBe("slope 0.997 on average (was 0.016)");
    expect(view.text("population-trust")).toBe("● reliable: 110 effective rows of 160");
    expect(view.text("below-stress")).toBe(BELOW);
    expect(view.text("least")).toBe("90.4 % → 89.7 %");
    expect(view.text("coverage")).toBe("7.5 % → 3.5 %");
    expect(view.text("precision")).toBe("100.0 % → 100.0 % [25.2 %, 100.0 %]");
    expect([...view.at("sets").children].map((chip) => chip.textContent)).toEqual([
      "age + slope (below π)",
      "<b>level</b> + slope",
    ]);
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
    expect(view.el.querySelector("[data-testid='reset']")).toBe(null);
  });

  test("edges moved are counted with both weights, and what is not counted is said", () => {
    const view = mount(rulesTraits("stressed"));
    view.key(view.at("lower"), "Home");
    const [covered, grown] = view.text("coverage").split(" as grown ") as [string, string];
    expect(grown).toBe("7.5 % → 3.5 %");
    const traits = rulesTraits("stressed");
    const answer = decodeAnswer(traits);
    const stressed = decodeStressed(traits, answer);
    const { axes, rows } = answer.rules[0] as Rule;
    const sides = axes.map(({ inside, missing }, k) => ({
      inside: inside.map((is, cell) => is || (k === 0 && cell < inside.indexOf(true))),
      missing,
    }));
    const weights = stressed?.weights ?? null;
    const shares = [rows, { ...rows, weights }].map(
      (one) => countBox(one, sides).heldOut?.coverage as number,
    );
    expect(shares[0]).not.toBeCloseTo(shares[1] as number);
    expect(covered).toBe(shares.map((one) => `${(100 * one).toFixed(1)} %`).join(" → "));
    expect(view.text("least")).not.toContain("→");
    expect(view.text("counted")).toContain("The least is without the stress");
  });

  test("until the kernel has counted, that is said; another stress greys what is shown", async () => {
    const view = mount();
    view.receive("stress", STRESS);
    expect(view.text("population")).toBe("on its way… the kernel counts the rules under the stress");
    const { stressed, stressed_weights } = rulesTraits("stressed");
    view.receive("stressed_weights", stressed_weights);
    view.receive("stressed", stressed);
    await painted();
    expect(view.text("below-stress")).toBe(BELOW);
    view.receive("stress", { taus: { slope: 0.7 }, hold: "none" });
    expect(view.text("population")).toContain("(before; the kernel counts the rows anew…)");
    expect(view.at("sdp").closest("section")?.classList.contains("ts-is-stale")).toBe(true);
    view.receive("stress", UNSTRESSED);
    expect(view.text("population")).toBe("the data as they are: 160 rows");
    expect(view.text("least")).toBe("90.4 %");
    expect(view.at("below-stress").hidden).toBe(true);
    expect(view.at("unweighted").hidden).toBe(true);
    expect(view.at("population").closest<HTMLElement>(".ts-under")?.hidden).toBe(true);
  });

  test("the rule shown is said to stop holding, of the others how many do", () => {
    const view = mount(rulesTraits("stressed"));
    expect(view.at("unweighted").hidden).toBe(false);
    view.receive("rule", 1);
    expect(view.text("below-stress")).toBe("This rule holds under the stress; 1 other falls below π.");
    const traits = rulesTraits("stressed");
    const stressed = decodeStressed(traits, decodeAnswer(traits));
    const rules = [0, 1, 0].map((k) => ({ ...stressed?.rules[k], below: k === 0 ? "falls" : "" }));
    const answer = { rules: rules.map(() => ({ name: "age" })) } as never;
    const said = (place: number) =>
      belowWords(answer, { now: { ...stressed, rules }, late: false, problem: "" } as never, place);
    expect(said(0)).toBe("age falls. So does 1 other.");
    expect(said(1)).toBe("This rule holds under the stress; 2 others fall below π.");
  });

  test("why it is not shown: a problem of the kernel's, or none to ask", async () => {
    const error = "b cannot be met";
    const view = mount(
      rulesTraits("levels", {
        stress: STRESS,
        stressed: { stress: STRESS, row: 3, pi: 0.9, t: null, error },
      }),
    );
    expect(view.text("population")).toBe(
      "the stress set elsewhere is not shown. B cannot be met. The rules are shown for the data as they are.",
    );
    const message = { ...(rulesTraits().message as object), live: false, offline: "No kernel here." };
    const saved = mount(rulesTraits("levels", { stress: STRESS, message }));
    expect(saved.text("population")).toContain("this page has no kernel".replace("this", "This"));
    expect(saved.text("coverage")).not.toContain("→");
  });

  test("of the study's weights, both are those of the study and the stress", () => {
    const answer = decodeAnswer(rulesTraits("stressed"));
    const stressed = decodeStressed(rulesTraits("stressed"), answer);
    const shown = rulesUnder(rulesMessage(rulesTraits().message, "message"), STRESS, stressed);
    expect(ruleUnder(answer.rules[0] as Rule, 0, shown, null)?.counts).toBe(null);
    expect(ruleUnder(answer.rules[0] as Rule, 7, shown, null)).toBe(null);
  });
});

describe("what the kernel counted is read", () => {
  const answer = decodeAnswer(rulesTraits());
  const { stressed, stressed_weights } = rulesTraits("stressed");
  const message = rulesGolden.stressed.json.stressed as Record<string, unknown>;

  test("of another row, π or t it is left out", () => {
    expect(decodeStressed({ stressed: {}, stressed_weights }, answer)).toBe(null);
    expect(decodeStressed({ stressed: { ...message, row: 4 }, stressed_weights }, answer)).toBe(null);
    expect(decodeStressed({ stressed: { ...message, pi: 0.5 }, stressed_weights }, answer)).toBe(null);
    expect(decodeStressed({ stressed: { ...message, t: 4 }, stressed_weights }, answer)).toBe(null);
  });

  test("fewer rules or weights are refused", () => {
    expect(() => decodeStressed({ stressed: { ...message, rules: [] }, stressed_weights }, answer)).toThrow(
      /must have 2 rules/,
    );
    expect(() => decodeStressed({ stressed, stressed_weights: new Uint8Array(4) }, answer)).toThrow(
      /stressed_weights/,
    );
  });
});
