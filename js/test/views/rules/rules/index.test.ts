// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { endingKernel } from "../../../support/ending_kernel";
import { ANSWER, rulesTraits } from "../../../support/rules_example";
import { mount } from "../../../support/rules_view";
import { isOff, painted } from "../../../support/view";

describe("at rest", () => {
  test("says the rule, its numbers in Python's own, and how it is known", async () => {
    const view = mount();
    expect(view.text("headline")).toBe("If age from 40 to 57 and slope ≤ 0.7: predicted no.");
    expect([...view.at("sets").children].map((chip) => chip.textContent)).toEqual([
      "age + slope",
      "<b>level</b> + slope",
    ]);
    expect(view.text("precision")).toMatch(/^\d+\.\d % \[.* %, 100\.0 %\]$/);
    expect(view.text("proof")).toContain("is not proved");
    expect([...view.el.querySelectorAll(".ts-figures dt")].map((term) => term.textContent)).toEqual([
      "same-decision probability, at the row",
      "least at the forest's rows inside",
      "coverage of 40 held-out rows",
      "precision: of these decided so",
      "both, of the forest's own rows",
    ]);
    expect(view.at("below").hidden).toBe(true);
    expect(isOff(view.at("back"))).toBe(true);
    expect([...view.el.querySelectorAll("b")].map((bold) => bold.textContent)).not.toContain("level");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("where no set reaches π that is said, and nothing else is shown", () => {
    const view = mount(rulesTraits("none"));
    expect(view.text("headline")).toContain("reaches π = 90 %; nearest comes");
    expect(
      [view.at("sets"), view.at("rule"), view.at("sdp")].map((one) => one.closest("section")?.hidden),
    ).toEqual([true, true, true]);
  });

  test("a message that cannot be read is said in place of the panel", () => {
    expect(mount(rulesTraits("levels", { sdp: new Uint8Array(4) })).el.textContent).toContain(
      "These rules cannot be shown",
    );
  });
});

describe("edges", () => {
  test("a key moves an edge by a cell; the numbers follow, and a button leads back", () => {
    const view = mount();
    const coverage = view.text("coverage");
    for (let k = 0; k < 3; k++) view.key(view.at("lower"), "ArrowLeft");
    expect(view.text("headline")).toBe("If age from 37 to 57 and slope ≤ 0.7: predicted no.");
    expect(view.text("coverage")).toContain(`as grown ${coverage}`);
    expect(view.text("proof")).toMatch(/^Of the rule as grown; not of what you moved\. /);
    expect(view.text("counted")).toContain("no interval");
    view.key(view.at("lower"), "Home");
    expect(view.text("headline")).toBe("If age ≤ 57 and slope ≤ 0.7: predicted no.");
    expect(view.at("below").hidden).toBe(false);
    view.at("back").click();
    expect(view.text("headline")).toContain("age from 40 to 57");
    expect(view.text("coverage")).toBe(coverage);
  });

  test("an edge stops at the row's own value, and Escape brings it back", () => {
    const view = mount();
    view.key(view.at("lower"), "End");
    expect(view.text("headline")).toContain("age from 41 to 57");
    view.key(view.at("lower"), "Escape");
    expect(view.text("headline")).toContain("age from 40 to 57");
  });

  test("dragged, an edge goes to the nearest place", () => {
    const view = mount();
    const upper = view.at<HTMLInputElement>("upper");
    upper.value = "970";
    upper.dispatchEvent(new Event("input", { bubbles: true }));
    expect(view.text("headline")).toContain("If age from 40 to 59");
    expect(upper.getAttribute("aria-valuetext")).toBe("≤ 59");
  });

  test("levels and missing values are switched; the row's own is not", () => {
    const view = mount(rulesTraits("levels", { rule: 1 }));
    const cells = view.all("level");
    const own = cells.find(({ classList }) => classList.contains("ts-is-own")) as HTMLButtonElement;
    expect([own.textContent, own.disabled]).toEqual(["high", true]);
    cells.find(({ textContent }) => textContent === "low")?.click();
    expect(view.text("headline")).toMatch(/<b>level<\/b> is (low or high|high or low)/);
    const missing = cells.filter(({ textContent }) => textContent === "missing").at(-1);
    missing?.click();
    expect(view.text("headline")).toContain("or missing");
    expect(missing?.getAttribute("aria-pressed")).toBe("true");
  });

  test("a sample is said", () => {
    const answer = { ...(rulesTraits().answer as object), sampled: "Counted on some." };
    const view = mount(rulesTraits("levels", { answer }));
    view.key(view.at("lower"), "ArrowLeft");
    expect(view.text("counted")).toContain("Counted on some.");
  });
});

describe("another set, row or π", () => {
  test("arrow keys choose a set, and the trait follows", async () => {
    const view = mount();
    view.key(view.at("lower"), "ArrowLeft");
    view.key(view.at("sets"), "ArrowRight");
    expect(view.text("headline")).toContain("<b>level</b> is high and slope");
    expect(isOff(view.at("back"))).toBe(true);
    await painted();
    expect(view.state.rule).toBe(1);
    view.receive("rule", 0);
    expect(view.text("headline")).toContain("age from 40");
  });

  test("a typed row is asked for, and what is shown is grey until it is there", async () => {
    const view = mount();
    view.enter("row", "9");
    await painted();
    expect(view.state.row).toBe(9);
    expect(view.text("late")).toBe("The kernel is asked for row 9 at π = 0.9…");
    expect(view.text("grey")).toBe("Grey is still row 3.");
    expect(view.at("sdp").closest("section")?.classList.contains("ts-is-stale")).toBe(true);
    view.receive("progress", { row: 9, pi: 0.9, doing: "Searching", error: "" });
    expect(view.text("late")).toBe("Searching…");
    view.receive("progress", { row: 9, pi: 0.9, doing: "", error: "out of luck" });
    expect(view.text("late")).toBe("There are no rules for row 9 at π = 0.9: out of luck");
    const next = rulesTraits("missing");
    for (const name of ANSWER) view.receive(name, next[name]);
    view.receive("progress", {});
    await painted();
    expect(view.text("headline")).toBe("If slope > 0.9, or missing: predicted yes.");
    expect(view.at("late").hidden).toBe(true);
  });

  test.each([
    ["row", "3.5"],
    ["row", "160"],
    ["pi", "0"],
    ["pi", "1.2"],
  ])("%s %s is not asked for", async (testid, value) => {
    const view = mount();
    const before = view.at<HTMLInputElement>(testid).value;
    view.enter(testid, value);
    await painted();
    expect(view.at<HTMLInputElement>(testid).value).toBe(before);
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("π and the next row are asked for", async () => {
    const view = mount();
    view.enter("pi", "0.8");
    view.at("next").click();
    await painted();
    expect([view.state.pi, view.state.row]).toEqual([0.8, 4]);
  });

  test("a search that is cancelled goes back to the row shown", async () => {
    const view = mount();
    expect(view.at("cancel").hidden).toBe(true);
    view.enter("row", "9");
    await painted();
    expect(view.at("cancel").hidden).toBe(false);
    view.at("cancel").click();
    await painted();
    expect([view.state.row, view.state.pi]).toEqual([3, 0.9]);
    expect(["cancel", "late", "grey"].map((one) => view.at(one).hidden)).toEqual([true, true, true]);
  });

  test("a kernel that ends in the middle of a search is said, and it is not waited for", async () => {
    const { manager, end } = endingKernel();
    const view = mount(rulesTraits(), manager);
    view.at("next").click();
    view.receive("progress", { row: 4, pi: 0.9, doing: "Growing rules", error: "" });
    expect(view.text("late")).toBe("Growing rules…");
    end();
    await painted();
    expect(view.text("kernel-gone")).toContain("run the cell again");
    expect(view.text("late")).toBe(`Not row 4 at π = 0.9. ${view.text("kernel-gone")}`);
    expect(view.el.textContent).not.toContain("Growing");
    expect(["row", "pi", "next", "previous"].map((one) => isOff(view.at(one)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("without a kernel they are off, and it is said why", () => {
    const message = { ...(rulesTraits().message as object), live: false, offline: "No kernel here." };
    const view = mount(rulesTraits("levels", { message }));
    expect(["row", "pi", "next", "previous"].map((one) => isOff(view.at(one)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(view.text("offline")).toBe("No kernel here.");
    view.receive("row", 9);
    expect(view.text("late")).toBe("Not row 9 at π = 0.9. No kernel here.");
  });
});
