// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { html } from "../../../../src/marks/element";
import { populationOf } from "../../../../src/views/workspace/workspace/shown";
import { readGolden } from "../../../support/golden";
import { rulesTraits } from "../../../support/rules_example";
import { goldenWay } from "../../../support/towards_example";
import { MESSAGE, openWorkspace, withPooled, withView, withWay } from "../../../support/workspace_view";

const OLDER = { name: "older", taus: { age: 0.3 }, hold: "none" };
const LESS = { name: "<b>less</b> work", taus: { hours: -0.4 }, hold: "means" };
const OFFLINE = "This copy was made without a kernel.";

let copied: string[] = [];
let saved: { name: string; text: Promise<string> }[] = [];

beforeEach(() => {
  copied = [];
  saved = [];
  vi.stubGlobal("navigator", {
    ...navigator,
    clipboard: { writeText: async (text: string) => void copied.push(text) },
  });
  const blobs = new Map<string, Blob>();
  URL.createObjectURL = (blob) => {
    blobs.set(`blob:${blobs.size}`, blob as Blob);
    return `blob:${blobs.size - 1}`;
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs.get(this.href) as Blob;
    saved.push({ name: this.download, text: textOf(blob) });
  });
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function textOf(blob: Blob): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsText(blob);
  });
}

/** What the page asked of the kernel. */
function requestOf({ sent }: ReturnType<typeof openWorkspace>) {
  const [first] = sent.mock.calls[0] ?? [];
  return first as { id: string; what: string; state: { stress: unknown } };
}

const settle = () => new Promise((done) => setTimeout(done, 5));

describe("a menu", () => {
  test("opens by arrow, is walked by arrows, and gives the focus back", () => {
    const { only, key } = openWorkspace({ scenarios: [OLDER] });
    only("copy").focus();
    key("ArrowDown");
    expect(document.activeElement).toBe(only("copy-number"));
    expect(only("copy").getAttribute("aria-expanded")).toBe("true");
    key("ArrowUp");
    expect(document.activeElement).toBe(only("copy-python"));
    key("Home");
    key("ArrowDown");
    key("ArrowDown");
    expect(document.activeElement).toBe(only("copy-table"));
    key("Escape");
    expect(document.activeElement).toBe(only("copy"));
    expect(only("copy-table").closest("[hidden]")).not.toBeNull();
    key("ArrowUp");
    expect(document.activeElement).toBe(only("copy-python"));
  });

  test("closes when the focus leaves it", () => {
    const { only } = openWorkspace();
    only("scenario").click();
    expect(only("scenario").getAttribute("aria-expanded")).toBe("true");
    only("undo").focus();
    only("copy").focus();
    expect(only("scenario").getAttribute("aria-expanded")).toBe("false");
  });

  test("what cannot be chosen says why and does nothing", () => {
    const { only, el } = openWorkspace();
    only("scenario").click();
    expect(only("scenario-keep").getAttribute("aria-disabled")).toBe("true");
    expect(only("scenario-keep").textContent).toContain("Move a slider first");
    only("scenario-keep").click();
    expect(el.querySelector("form")).toBeNull();
  });
});

describe("scenarios", () => {
  const chosen = (view: ReturnType<typeof openWorkspace>, id: string) => {
    view.only("scenario").click();
    view.only(id).click();
  };

  test("the present stress is kept by a name of its own", () => {
    const view = openWorkspace({
      stress: { taus: { hours: 0.2 }, hold: "means" },
      scenarios: [OLDER],
    });
    const { only, state, el } = view;
    chosen(view, "scenario-keep");
    const input = only("scenario-name") as HTMLInputElement;
    expect(document.activeElement).toBe(input);
    for (const [name, problem] of [
      ["  ", "needs a name"],
      ["older", "kept already"],
      ["as tested", "without a scenario"],
    ]) {
      input.value = name as string;
      only("scenario-save").click();
      expect(el.querySelector("[role=alert]")?.textContent).toContain(problem);
    }
    input.value = " busy ";
    only("scenario-save").click();
    expect(state.scenarios).toEqual([OLDER, { name: "busy", taus: { hours: 0.2 }, hold: "means" }]);
    expect(only("said").textContent).toBe("Kept “busy”.");
    expect(document.activeElement).toBe(only("scenario"));
  });

  test("a click applies one, as text and not as markup, and the menu says which is shown", () => {
    const view = openWorkspace({ scenarios: [OLDER, LESS] });
    chosen(view, "scenario-apply-1");
    expect(view.state.stress).toEqual({ taus: { hours: -0.4 }, hold: "means" });
    view.only("scenario").click();
    expect(view.only("scenario-apply-1").getAttribute("aria-checked")).toBe("true");
    expect(view.only("scenario-apply-0").getAttribute("aria-checked")).toBe("false");
    expect(view.only("scenario-apply-1").textContent).toBe(LESS.name);
    expect(view.only("scenario-apply-1").querySelector("b")).toBeNull();
  });

  test("the name of the one shown leads the line of the population, until a slider leaves it", () => {
    const view = openWorkspace({ scenarios: [OLDER], stress: { taus: OLDER.taus, hold: OLDER.hold } });
    const name = () => view.only("population-name").textContent;
    expect(name()).toBe(`${OLDER.name}: `);
    view.press("hours", "ArrowRight");
    expect(name()).toBe("Population shown: ");
    view.receive("scenarios", [OLDER, { name: "this", ...(view.state.stress as object) }]);
    expect(name()).toBe("this: ");
    view.only("reset").click();
    expect(name()).toBe("Population shown: ");
  });

  test("two are compared on the rows of the page: the numbers are those of the sliders", async () => {
    const view = openWorkspace({ scenarios: [OLDER, LESS] });
    chosen(view, "scenario-compare");
    await settle();
    const heads = [...view.only("scenario-table").querySelectorAll("thead th")].map((one) => one.textContent);
    expect(heads).toEqual(["metric", "as tested", "older", LESS.name]);
    const first = view.only("scenario-table").querySelector("tbody tr") as Element;
    const cell = first.querySelectorAll("td")[1] as Element;
    const effective = view.only("scenario-table").querySelector("tbody tr:last-child")?.textContent;
    view.key("Escape");
    expect(view.all("scenario-comparison")).toHaveLength(0);
    chosen(view, "scenario-apply-0");
    expect(cell.querySelector("b")?.textContent).toBe(
      view.only("panel-metrics").querySelector('[data-testid="value"]')?.textContent,
    );
    expect(cell.textContent).toContain(
      view.only("panel-metrics").querySelector('[data-testid="interval"]')?.textContent,
    );
    expect(effective).toContain(view.only("ess").textContent ?? "?");
  });

  test("one is removed, and with the last the panel goes", async () => {
    const view = openWorkspace({ scenarios: [OLDER, LESS] });
    chosen(view, "scenario-compare");
    view.only("scenario-remove-0").click();
    expect(view.state.scenarios).toEqual([LESS]);
    view.only("scenario-remove-0").click();
    expect(view.state.scenarios).toEqual([]);
    expect(view.all("scenario-comparison")).toHaveLength(0);
    await settle();
  });

  test("a file goes out and comes back; what is there already is not doubled", async () => {
    const view = openWorkspace({ scenarios: [OLDER, LESS] }, OFFLINE);
    chosen(view, "scenario-export");
    expect(saved[0]?.name).toBe("scenarios.json");
    const text = await (saved[0]?.text as Promise<string>);
    const again = openWorkspace({ scenarios: [{ ...OLDER, taus: { age: 0.1 } }, LESS] }, OFFLINE);
    const input = again.only("scenario-file") as HTMLInputElement;
    Object.defineProperty(input, "files", { value: [{ name: "mine.json", text: async () => text }] });
    Object.defineProperty(input, "value", { value: "", writable: true });
    input.dispatchEvent(new Event("change"));
    await settle();
    expect(again.only("said").textContent).toBe("Loaded 2 scenarios from mine.json.");
    expect(again.state.scenarios).toEqual([
      { ...OLDER, taus: { age: 0.1 } },
      LESS,
      { ...OLDER, name: "older (2)" },
    ]);
  });

  test("a file of other data is refused in words", async () => {
    const { only, state } = openWorkspace();
    const input = only("scenario-file") as HTMLInputElement;
    const text = JSON.stringify({
      schema: "tauscope.scenarios",
      version: 1,
      data: { hash: "cd".repeat(32) },
    });
    Object.defineProperty(input, "files", { value: [{ name: "mine.json", text: async () => text }] });
    Object.defineProperty(input, "value", { value: "", writable: true });
    input.dispatchEvent(new Event("change"));
    await settle();
    expect(only("said").textContent).toContain("has a list of them");
    expect(only("said").classList.contains("ts-failed")).toBe(true);
    expect(state.scenarios).toBeUndefined();
  });
});

describe("copy", () => {
  const copy = async (view: ReturnType<typeof openWorkspace>, what: string) => {
    view.only("copy").click();
    view.only(`copy-${what}`).click();
    await settle();
    return copied.at(-1) ?? "";
  };

  test("a sentence has the population, the interval, the reliability and the effective rows on screen", async () => {
    const view = openWorkspace({ stress: { taus: { age: 0.3 }, hold: "none" } });
    const words = await copy(view, "sentence");
    const panel = view.only("panel-metrics");
    const shown = (id: string) => panel.querySelector(`[data-testid="${id}"]`)?.textContent as string;
    expect(words).toContain("Predicted <b>yes</b>, age ");
    expect(words).toMatch(/; reliable: [\d,]+ effective rows of [\d,]+\. /);
    for (const id of ["value", "interval", "baseline", "trust"]) expect(words).toContain(shown(id));
    expect(view.only("said").textContent).toBe("Copied the sentence.");
  });

  test("a number is the metric chosen as it reads on screen, whatever the view", async () => {
    const view = openWorkspace({ stress: { taus: { age: 0.3 }, hold: "none" } });
    const shown = view.only("panel-metrics").querySelector('[data-testid="value"]')?.textContent as string;
    expect(shown).toMatch(/^\d/);
    expect(await copy(view, "number")).toBe(shown);
    expect(view.only("said").textContent).toBe(`Copied the number: Share predicted 1 ${shown}.`);
    view.receive("view", "effect");
    expect(await copy(view, "number")).toBe(shown);
  });

  test("a table has every metric as numbers between tabs", async () => {
    const view = openWorkspace({ stress: { taus: { age: 0.3 }, hold: "none" } });
    const rows = (await copy(view, "table")).split("\n").map((row) => row.split("\t"));
    expect(rows[0]?.slice(0, 5)).toEqual(["metric", "as tested", "lower", "upper", "under the stress"]);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([10]));
    const [, before, , , now] = rows[1] as string[];
    expect(Number(now)).not.toBe(Number(before));
    const ess = view.only("ess").textContent?.replace(",", "");
    expect(Math.round(Number(rows[1]?.[9]))).toBe(Number(ess));
  });

  test("the table of a view opened in details is there without opening it", async () => {
    const view = openWorkspace({ view: "curves" });
    const words = await copy(view, "table");
    expect(words.split("\n").length).toBeGreaterThan(5);
    expect(view.el.querySelector("details[open] .ts-table-holder")).toBeNull();
  });

  test("of a pooled boundary a sentence says which rows, what carries them and how sure that is; a table all of it", async () => {
    const view = openWorkspace({ ...withPooled(), stress: { taus: { age: 0.3 }, hold: "none" } });
    const words = await copy(view, "sentence");
    expect(words).toMatch(/^Predicted <b>yes<\/b>, age .* Pooled: 30 of 60 rows\. Carried most by slope /);
    expect(words).toMatch(/(Reliable|Wide|Unreliable): .*\.$/);
    const table = await copy(view, "table");
    expect(table).toContain("The rows pooled, least like the pooled direction first");
    expect(table).toMatch(/feature\twithout the stress\tpooled\tinterval/);
  });

  test("Python is asked of the kernel, with what is on screen", async () => {
    const view = openWorkspace();
    view.press("age", "ArrowRight");
    view.only("copy").click();
    view.only("copy-python").click();
    const request = requestOf(view);
    expect(request).toMatchObject({ type: "tauscope:request", what: "code" });
    expect(request.state.stress).toEqual({ taus: { age: 0.01 }, hold: "none" });
    view.tell({ type: "tauscope:answer", id: "another", state: "done", words: "", text: "no" });
    view.tell({ type: "tauscope:answer", id: request.id, state: "done", words: "", text: "study.X" });
    await settle();
    expect(copied).toEqual(["study.X"]);
  });

  test("the way to another population says itself which one it shows", async () => {
    const view = openWorkspace(withWay(goldenWay.missed));
    const words = await copy(view, "sentence");
    expect(words).toMatch(
      /^Predicted <b>yes<\/b>\. 3 margins of a table of margins; effective sample 3 of 300\. /,
    );
    expect(words).toMatch(/Error rate: [\d.]+ % as tested, [\d.]+ % expected \(/);
    expect(words).toMatch(/3 of 3 margins are not met at a price of 10 nats\.$/);
    const rows = (await copy(view, "table")).split("\n").map((row) => row.split("\t"));
    expect(rows[0]).toEqual(["metric", "", "as tested", "expected (95 %)", "reliability"]);
    expect(rows[2]?.[0]).toBe("Error rate");
    expect(rows[2]?.[3]).toMatch(/^[\d.]+ % [\d.]+ – [\d.]+$/);
  });

  test("a worst case says itself which population it shows", async () => {
    const { means } = readGolden<{ means: { message: unknown; path: unknown } }>("stress_worst_case.json");
    const stress = { taus: { age: 0.3 }, hold: "none" };
    const view = openWorkspace({ ...withView("worst_case", "Worst case", { ...means }), stress });
    const words = await copy(view, "sentence");
    expect(words).toMatch(/^Predicted <b>yes<\/b>\. The worst case: means of slope/);
    expect(words).not.toContain("age 4");
  });

  test.each([
    ["rules", "of the data as they are", "age 31", "the data as they are"],
    ["boundary", "of one row", "", ""],
    ["effect", "of what the view shows", "age 31 on average (was 36).", "age 31 on average (was 36)"],
    ["pooled", "of what the view shows", "The stress is not shown.", "The stress is not shown"],
    ["table", "of what the view shows", "", "age 40"],
    ["calibration", "which its words say", "age 31", ""],
    ["thresholds", "which its words say", "age 31", ""],
    ["models", "which its words say", "age 31", ""],
    ["towards", "which its words say", "age 31", ""],
    ["worst_case", "which its words say", "age 31", ""],
  ])("a sentence of %s has the population of its numbers: %s", (view, _, own, expected) => {
    const panel = html("div", {}, ...(own ? [html("p", { "data-testid": "population" }, own)] : []));
    expect(populationOf(panel, view, "age 40")).toBe(expected);
  });

  test("a sentence of rules, under a stress, is of the data as they are", async () => {
    const stress = { taus: { age: 0.3 }, hold: "none" };
    const view = openWorkspace({ ...withView("rules", "Rules", { ...rulesTraits() }), stress });
    expect(await copy(view, "sentence")).toMatch(/^Predicted <b>yes<\/b>, the data as they are\. /);
  });

  test("an error of the kernel is said as it is", async () => {
    const view = openWorkspace();
    view.only("copy").click();
    view.only("copy-python").click();
    const { id } = requestOf(view);
    view.tell({ type: "tauscope:answer", id, state: "failed", words: "ValueError: <i>no</i>" });
    await settle();
    expect(view.only("said").textContent).toBe("ValueError: <i>no</i>");
  });

  test("without a kernel Python says why not", () => {
    const { only, sent } = openWorkspace({}, OFFLINE);
    only("copy").click();
    expect(only("copy-python").textContent).toContain(OFFLINE);
    only("copy-python").click();
    expect(sent).not.toHaveBeenCalled();
  });

  test("where the browser refuses, the text is shown selected", async () => {
    vi.stubGlobal("navigator", { ...navigator, clipboard: undefined });
    const view = openWorkspace();
    view.only("copy").click();
    view.only("copy-sentence").click();
    await settle();
    const box = view.only("copy-box") as HTMLTextAreaElement;
    expect(box.value).toContain("Predicted <b>yes</b>, ");
    view.only("copy-close").click();
    expect(view.all("copy-box")).toHaveLength(0);
  });
});

describe("save page", () => {
  test("hands over the bytes that the kernel sends, and says so", async () => {
    const view = openWorkspace();
    const button = view.only("save-page");
    button.click();
    button.click();
    expect(view.sent).toHaveBeenCalledTimes(1);
    expect(button.textContent).toBe("Saving…");
    const { id } = requestOf(view);
    const content = new DataView(new TextEncoder().encode("<html>page").buffer);
    view.tell({ type: "tauscope:answer", id, state: "done", words: "", name: "audit.html" }, [content]);
    await settle();
    expect(saved[0]?.name).toBe("audit.html");
    expect(await saved[0]?.text).toBe("<html>page");
    expect(view.only("said").textContent).toBe("Saved audit.html.");
    expect(button.textContent).toBe("Save page");
  });

  test("says what went wrong", async () => {
    const view = openWorkspace();
    view.only("save-page").click();
    const { id } = requestOf(view);
    view.tell({ type: "tauscope:answer", id, state: "failed", words: "Too many rows." });
    await settle();
    expect(view.only("said").textContent).toBe("Too many rows.");
    expect(saved).toHaveLength(0);
  });

  test("is not there in a page without a kernel", () => {
    expect(openWorkspace({}, OFFLINE).only("save-page").hidden).toBe(true);
  });
});

test("what is unusual about the model's answers stands under the title, as text", () => {
  const note = "the model answers differently when asked again: <b>3</b> of 8 rows changed";
  const { root } = openWorkspace({ message: { ...MESSAGE, notes: [note] } });
  const notes = [...root.querySelectorAll(".ts-head-note")];
  expect(notes.map((each) => each.textContent)).toEqual([note]);
  expect(openWorkspace().root.querySelectorAll(".ts-head-note")).toHaveLength(0);
});
