// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { insideWords, listInside } from "../../../../src/views/rules/rules/rows_inside";
import { sidesOf } from "../../../../src/views/rules/rules/state";
import { entryWords, scoreWords } from "../../../../src/views/shared/entries";
import {
  decodeAnswer,
  decodeListed,
  type Listed,
  type Rule,
  type RulesTraits,
} from "../../../../src/wire/rules/rules";
import { rulesTraits } from "../../../support/rules_example";
import { mount } from "../../../support/rules_view";
import { painted } from "../../../support/view";

function decoded(traits: RulesTraits = rulesTraits()) {
  const answer = decodeAnswer(traits);
  const rule = answer.rules[0] as Rule;
  return { answer, rule, listed: decodeListed(traits, answer) };
}

function shown(rule: Rule) {
  return { rule, sides: sidesOf(rule, null), counts: null, after: null };
}

describe("rows inside", () => {
  test("as many as Python counted, with their answers and values", () => {
    const { rule, listed } = decoded();
    const view = mount();
    const n = rule.training.n_inside + (rule.held_out?.n_inside ?? 0);
    expect(listInside(shown(rule), listed)).toHaveLength(n);
    expect(view.text("inside")).toBe(`${n} of 160 rows lie inside (22.5 %), none of them decided otherwise.`);
    const heads = [...view.el.querySelectorAll(".ts-inside-table thead th")].map((head) => head.textContent);
    expect(heads).toEqual(["row", "decided", "age", "slope", ""]);
    const own = view.el.querySelector(".ts-inside-table tr[data-row='3']") as HTMLElement;
    expect([...own.children].map((cell) => cell.textContent)).toEqual(["3", "no", "41", "0.28224", "shown"]);
  });

  test("edges moved take in others, those decided otherwise first", async () => {
    const view = mount();
    view.key(view.at("lower"), "Home");
    await painted();
    await painted();
    expect(view.text("inside")).not.toContain("none of them");
    const lines = [...view.at("rows-inside").children].map((line) =>
      line.classList.contains("ts-is-otherwise"),
    );
    expect(lines[0]).toBe(true);
    expect([...lines].sort((a, b) => Number(b) - Number(a))).toEqual(lines);
    expect(view.at("rows-inside").children[0]?.textContent).toContain("yes (otherwise)");
  });

  test("a press selects a row, another leaves it, all are selected at once", async () => {
    const view = mount();
    view.at("brush", 1).click();
    await painted();
    await painted();
    expect(view.state.selection).toEqual([4]);
    expect(view.at("brush", 1).getAttribute("aria-pressed")).toBe("true");
    expect(view.text("selected")).toBe("1 row selected");
    view.at("brush", 1).click();
    view.at("brush", 0).click();
    await painted();
    await painted();
    expect(view.state.selection).toEqual([3]);
    view.at("select-inside").click();
    await painted();
    await painted();
    const { rule, listed } = decoded();
    const inside = listInside(shown(rule), listed).map((at) => listed.places[at] as number);
    expect(view.state.selection).toEqual(inside.sort((a, b) => a - b));
    view.at("clear").click();
    await painted();
    await painted();
    expect(view.state.selection).toEqual([]);
    expect(view.text("selected")).toBe("none selected");
    view.receive("selection", [4, 5]);
    await painted();
    await painted();
    expect(view.text("selected")).toBe("2 rows selected");
  });

  test("a selected row keeps its button, and with it the focus", async () => {
    const view = mount();
    const button = view.at("brush", 2);
    button.focus();
    button.click();
    await painted();
    await painted();
    expect(document.activeElement).toBe(button);
    expect(view.at("brush", 2)).toBe(button);
  });

  test("a row is inspected: the kernel is asked for its rules", async () => {
    const view = mount();
    view.at("inspect", 1).click();
    await painted();
    expect(view.state.row).toBe(4);
    expect(view.text("late")).toContain("row 4");
  });

  test("without a kernel no row can be inspected, and the list stays", () => {
    const message = { ...(rulesTraits().message as object), live: false, offline: "No kernel here." };
    const view = mount(rulesTraits("levels", { message }));
    expect(view.all("inspect")).toEqual([]);
    expect(view.all("brush").length).toBeGreaterThan(5);
  });

  test("of many, some are drawn, and more on request", async () => {
    const view = mount();
    const all = view.el.querySelectorAll<HTMLInputElement>("[data-testid='upper']");
    for (const upper of all) view.key(upper, "End");
    for (const lower of view.all("lower")) view.key(lower, "Home");
    await painted();
    await painted();
    expect(view.at("rows-inside").children).toHaveLength(50);
    view.at("more-rows").click();
    expect(view.at("rows-inside").children).toHaveLength(100);
  });

  test("where there is no rule there is no list", () => {
    const view = mount(rulesTraits("none"));
    expect(view.at("rows-inside").closest("section")?.hidden).toBe(true);
  });

  test("a sample is said", () => {
    const { listed } = decoded();
    expect(insideWords({ ...listed, n_study: 9000 } as Listed, 16, 2)).toBe(
      "16 of 160 rows drawn from the study's 9,000 lie inside (10.0 %), 2 of them decided otherwise.",
    );
    expect(insideWords(listed, 1, 1)).toContain("1 of 160 rows lies inside");
    expect(insideWords(listed, 0, 0)).toBe("0 of 160 rows lie inside (0.0 %).");
  });
});

describe("values", () => {
  const column = { name: "x", kind: "number", whole: false, levels: [] } as const;
  test.each([
    [column, 0.28224, "0.28224"],
    [column, -1234567, "−1,234,567"],
    [{ ...column, kind: "levels", levels: ["a", "b"] }, 1, "b"],
    [{ ...column, kind: "levels", levels: ["a"] }, 4, "n/a"],
    [{ ...column, kind: "date" }, 18_262, "2020-01-01"],
    [{ ...column, kind: "duration" }, 2.5, "2.5 days"],
    [column, Number.NaN, "missing"],
    [null, 12.5, "12.5"],
    [null, Number.NaN, "n/a"],
  ] as const)("%#", (of, value, words) => {
    expect(entryWords(of, value)).toBe(words);
  });

  test("scores", () => {
    expect([scoreWords(true, 0.25), scoreWords(false, -1.5)]).toEqual(["25.0 %", "−1.500"]);
    const n = (rulesTraits().places as Uint8Array).byteLength / 4;
    const listed = { ...(rulesTraits().listed as object), score: "probability of yes", probability: true };
    const scores = new Uint8Array(new Float32Array(n).fill(0.75).buffer);
    const view = mount(rulesTraits("levels", { listed, scores }));
    expect(view.el.querySelector(".ts-inside-table thead")?.textContent).toContain("probability of yes");
    expect(view.at("rows-inside").textContent).toContain("75.0 %");
  });

  test("fewer positions are refused", () => {
    expect(() => decoded(rulesTraits("levels", { places: new Uint8Array(8) }))).toThrow(/160 positions/);
  });
});
