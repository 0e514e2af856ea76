// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/workspace/table/index";
import { stressedTable, tableAnswers, tableTraits, unshippedTable } from "../../../support/table_example";
import { isOff, leavesNothing, mountView, painted, press } from "../../../support/view";

afterEach(() => {
  vi.useRealTimers();
});

function mount(state: Record<string, unknown> = tableTraits("plain")) {
  const view = mountView(widget, state);
  const lines = () =>
    [...view.el.querySelectorAll<HTMLElement>(".ts-grid-row")].filter((line) => !line.hidden);
  return {
    ...view,
    heads: () => [...view.el.querySelectorAll('[role="columnheader"]')].map((head) => head.textContent),
    lines,
    rows: () => lines().map((line) => line.firstElementChild?.textContent),
    press: (key: string, more: KeyboardEventInit = {}) => press(view.at("grid"), key, more),
    click: (place: number, options: MouseEventInit = {}) =>
      lines()[place]?.dispatchEvent(new MouseEvent("click", { bubbles: true, ...options })),
    type: (words: string) => view.enter("search", words, "input"),
  };
}

describe("rows inside a rule", () => {
  const RULE = {
    inside: { words: "age > <b>4</b>" },
    inside_rows: new DataView(Uint32Array.of(2, 5, 11).buffer),
  };

  test("are a filter while there is a rule, which is said", async () => {
    const view = mount({ ...tableTraits("plain"), ...RULE });
    view.enter("filter", "inside");
    await painted();
    expect(view.state.filter).toBe("inside");
    expect(view.rows()).toEqual(["2", "5", "11"]);
    expect(view.text("found")).toMatch(/^3 of 60 rows inside age > <b>4<\/b>: /);
  });

  test("are no filter without one; another rule has other rows", async () => {
    const view = mount();
    const filters = () => [...view.at<HTMLSelectElement>("filter").options].map((option) => option.value);
    expect(filters()).not.toContain("inside");
    view.receive("inside_rows", RULE.inside_rows);
    view.receive("inside", RULE.inside);
    await painted();
    expect(filters()).toContain("inside");
    view.enter("filter", "inside");
    view.receive("inside_rows", new DataView(Uint32Array.of(7).buffer));
    await painted();
    expect(view.rows()).toEqual(["7"]);
    view.receive("inside", {});
    await painted();
    expect(filters()).not.toContain("inside");
  });
});

describe("at rest", () => {
  test("shows the first rows in their own units, and no others", async () => {
    const view = mount();
    expect(view.heads()).toEqual([
      "row",
      "predicted",
      "true",
      "probability of yes",
      "age",
      "<b>level</b>",
      "slope",
      "signed",
      "account",
    ]);
    expect(view.rows().slice(0, 3)).toEqual(["0", "1", "2"]);
    expect(view.lines().length).toBeLessThan(30);
    const cells = [...(view.lines()[4]?.children ?? [])].map((cell) => cell.textContent);
    expect(cells.slice(4)).toEqual(["48", "missing", "missing", "2020-01-13", "2,147,483,716"]);
    expect(view.at("grid").getAttribute("aria-rowcount")).toBe("61");
    expect(view.lines()[0]?.getAttribute("aria-rowindex")).toBe("2");
    expect(view.text("found")).toBe("All 60 rows: misclassified 50.0 %");
    expect(view.text("selected")).toBe("None selected");
    expect(view.text("population")).toBe("the data as they are: 60 rows");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("words from data are never markup, and every control keeps its keys", () => {
    const view = mount();
    expect(view.el.querySelector(".ts-grid b")).toBeNull();
    for (const control of view.el.querySelectorAll("button:not(.ts-term), select, input, [tabindex]")) {
      expect(control.getAttribute("data-lm-suppress-shortcuts"), control.outerHTML).toBe("true");
    }
  });

  test("weights of the study have a column", () => {
    const view = mount(tableTraits("weighted"));
    expect(view.heads()).toContain("weight");
    expect(view.lines()[0]?.children[4]?.textContent).toBe("0.333");
  });
});

describe("looking for rows", () => {
  test("by a text, a filter and a column", async () => {
    const view = mount();
    view.type("high");
    expect(view.rows().slice(0, 4)).toEqual(["3", "10", "11", "17"]);
    expect(view.text("found")).toBe("16 of 60 rows: 26.7 % of the weight; misclassified 62.5 %");
    view.enter("filter", "errors");
    expect(view.text("found")).toBe("10 of 60 rows: 16.7 % of the weight");
    view.type("");
    view.enter("sort", "age");
    view.at("descending").click();
    expect(view.rows().slice(0, 3)).toEqual(["35", "17", "58"]);
    expect(view.state).toMatchObject({ search: "", filter: "errors", sort: "age", descending: true });
    await painted();
    expect(view.saves).toHaveBeenCalled();
  });

  test("by a click on a column's head, and another for the other way", () => {
    const view = mount();
    const head = () => view.el.querySelectorAll<HTMLElement>('[role="columnheader"]')[4] as HTMLElement;
    head().querySelector("button")?.click();
    expect([view.state.sort, view.state.descending]).toEqual(["age", false]);
    expect(head().getAttribute("aria-sort")).toBe("ascending");
    head().querySelector("button")?.click();
    expect(head().getAttribute("aria-sort")).toBe("descending");
  });

  test("none is found", () => {
    const view = mount();
    view.type("nowhere");
    expect(view.text("found")).toBe("No row is found.");
    expect(view.lines()).toHaveLength(0);
    expect(isOff(view.at("select-found"))).toBe(true);
  });
});

describe("a row and a selection", () => {
  test("a click looks at a row; with Ctrl or Shift it selects", () => {
    const view = mount();
    view.click(3);
    expect(view.state.row).toBe(3);
    expect(view.lines()[3]?.getAttribute("aria-current")).toBe("true");
    view.click(5, { ctrlKey: true });
    view.click(8, { shiftKey: true });
    expect(view.state.selection).toEqual([5, 6, 7, 8]);
    view.click(6, { metaKey: true });
    expect(view.state.selection).toEqual([5, 7, 8]);
    expect(view.state.row).toBe(3);
    expect(view.lines()[7]?.getAttribute("aria-selected")).toBe("true");
    expect(view.text("selected")).toMatch(/^3 rows selected: 5\.0 % of the weight; misclassified \d/);
    view.at("clear").click();
    expect(view.state.selection).toEqual([]);
  });

  test("keys walk, select and go to the ends", () => {
    const view = mount();
    view.press("ArrowDown");
    expect(view.state.row).toBe(1);
    view.press("ArrowDown", { shiftKey: true });
    expect([view.state.row, view.state.selection]).toEqual([2, [1, 2]]);
    view.press(" ");
    expect(view.state.selection).toEqual([1]);
    view.press("End");
    expect(view.state.row).toBe(59);
    view.press("Home");
    expect(view.state.row).toBe(0);
    expect(view.at("grid").getAttribute("aria-activedescendant")).toBe(view.lines()[0]?.id);
    view.press("a", { ctrlKey: true });
    expect(view.state.selection).toHaveLength(60);
    view.receive("row", 4);
    view.press("Enter");
    expect(view.state.row).toBe(4);
  });

  test("all that are found are selected at once", () => {
    const view = mount();
    view.type("high");
    expect(view.text("select-found")).toBe("Select these 16");
    view.at("select-found").click();
    expect(view.state.selection).toHaveLength(16);
    view.type("");
    view.enter("filter", "selected");
    expect(view.rows()[0]).toBe("3");
  });

  test("a row chosen elsewhere is marked", () => {
    const view = mount();
    view.receive("row", 6);
    expect(view.lines()[6]?.classList.contains("ts-is-shown")).toBe(true);
  });
});

describe("under a stress", () => {
  const { stress, weighed, weighed_weights } = stressedTable("plain");

  test("the last weights are greyed until the kernel has answered", async () => {
    const view = mount();
    view.receive("stress", stress);
    expect(view.text("population")).toBe("on its way… the kernel weighs the rows under the stress");
    view.receive("weighed_weights", weighed_weights);
    view.receive("weighed", weighed);
    await painted();
    expect(view.text("population")).toBe("age 48.1 on average (was 39.3)");
    expect(view.text("tv")).toBe("0.327");
    expect(view.heads().slice(4, 6)).toEqual(["weight", "under the stress"]);
    view.enter("sort", "weight under the stress");
    view.at("descending").click();
    expect(view.rows()[0]).toBe("35");
    view.receive("stress", { taus: { age: 0.6 }, hold: "none" });
    expect(view.lines()[0]?.children[5]?.classList.contains("ts-is-stale")).toBe(true);
    view.at("reset").click();
    expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
    expect(view.heads()).not.toContain("under the stress");
  });

  test("one that no weights meet is said, and so is a page without a kernel", async () => {
    const view = mount();
    view.receive("stress", stress);
    view.receive("weighed", { stress, error: "No weights meet it." });
    await painted();
    expect(view.text("population")).toBe(
      "the stress set elsewhere is not shown. No weights meet it. The weights are those of the data as they are.",
    );
    const saved = mount({
      ...tableTraits("plain", { live: false, offline: "this page has no kernel" }),
      stress,
    });
    expect(saved.text("population")).toContain("This page has no kernel.");
  });
});

describe("past the budget", () => {
  const [first] = tableAnswers("plain");

  test("the kernel is asked for what is looked for, and its last answer greyed", async () => {
    const view = mount(unshippedTable());
    expect(view.text("found")).toBe("The kernel lists the rows…");
    view.receive("window", first?.window);
    view.receive("listed", { ...first?.listed, n: 5000, stress: { taus: {}, hold: "none" } });
    await painted();
    expect(view.at("grid").getAttribute("aria-rowcount")).toBe("5001");
    expect(view.rows()[0]).toBe("0");
    view.type("high");
    expect(view.state.search).toBe("high");
    expect(view.at("grid").classList.contains("ts-is-stale")).toBe(true);
    view.type("");
    view.press("End");
    expect(view.state.start).toBeGreaterThan(4800);
    expect(view.rows().at(-1)).toBe("…");
    view.at("select-found").click();
    expect(view.state.choose).toBe(1);
  });
});

leavesNothing(mount);
