// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/boundary/pooled/index";
import { pooledAnswers, pooledTraits, unshippedTraits } from "../../../support/pooled_example";
import { mountView, painted } from "../../../support/view";

afterEach(() => {
  vi.useRealTimers();
});

function mount(state: Record<string, unknown> = pooledTraits("plain")) {
  const view = mountView(widget, state);
  const lines = () => [...view.at("bars").children] as HTMLElement[];
  return {
    ...view,
    lines: () => lines().map(({ dataset }) => dataset.feature),
    line: (feature: string) => lines().find(({ dataset }) => dataset.feature === feature) as HTMLElement,
  };
}

const AGE = { taus: { age: 0.5 }, hold: "none" };
const FAR = { taus: { slope: 0.95 }, hold: "none" };

describe("at rest", () => {
  test("says which rows are pooled, and what carries them", async () => {
    const view = mount();
    expect(view.text("rows")).toBe("Pooled: 30 of 60 rows");
    expect(view.text("population")).toBe("the data as they are: 60 rows");
    expect(view.text("pooled")).toBe("30");
    expect(view.text("share")).toBe("50.0 %");
    expect(view.text("reading")).toMatch(/^Carried most by slope 0\.\d{3}, /);
    expect(view.text("reliability")).toBe(
      "Reliable: nothing speaks against the pooled direction and its intervals.",
    );
    expect(view.lines()[0]).toBe("slope");
    expect(view.line("slope").querySelectorAll(".ts-pool-track")).toHaveLength(2);
    expect(view.line("age").querySelectorAll(".ts-pool-track")).toHaveLength(1);
    expect(view.line("age").textContent).toMatch(/^age−?0\.\d{3} −?0\.\d{3} to −?0\.\d{3}$/);
    expect(view.at("reset").hidden).toBe(true);
    await painted();
    expect(view.root.dataset.ready).toBe("1");
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("names are never markup, and every control keeps its keys", () => {
    const view = mount();
    expect(view.el.querySelector("li b b")).toBeNull();
    expect(view.lines()).toContain("<b>level</b>");
    for (const control of view.el.querySelectorAll("button, select, input, summary, [tabindex]")) {
      expect(control.getAttribute("data-lm-suppress-shortcuts"), control.outerHTML).toBe("true");
    }
  });

  test("all numbers stand in a table", () => {
    const view = mount();
    const details = view.find<HTMLDetailsElement>(".ts-main > details:last-child");
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    const heads = [...details.querySelectorAll("thead th")].map((head) => head.textContent);
    expect(heads).toEqual([
      "feature",
      "pooled",
      "interval",
      "from rows that have it",
      "interval",
      "from rows that do not",
      "interval",
      "rows with it",
    ]);
    expect(details.querySelectorAll("tbody tr")).toHaveLength(4);
  });
});

describe("under a stress", () => {
  test("the page pools by itself, before and after side by side", () => {
    const view = mount();
    const quiet = view.line("slope").querySelector("b")?.textContent;
    view.receive("stress", AGE);
    expect(view.text("population")).toMatch(/^age 48\.\d+ on average \(was 39\.\d+\)$/);
    expect(view.text("tv")).toBe("0.327");
    expect(view.text("size")).toBe("19 rows");
    expect(view.text("share")).toBe("46.8 % instead of 50.0 %");
    expect(view.text("reading")).toMatch(/Changed most: .*, −?0\.\d{3} → −?0\.\d{3}\.$/);
    expect(view.line("slope").querySelector(".ts-number")?.textContent).toMatch(`${quiet} → `);
    expect(view.line("slope").querySelector<HTMLElement>(".ts-pool-before")?.hidden).toBe(false);
    expect(view.text("coverage")).toMatch(/, the weights taken as known\.$/);
    view.at("reset").click();
    expect(view.text("coverage")).not.toContain("weights");
    expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
    expect(view.line("slope").querySelector("b")?.textContent).toBe(quiet);
    expect(view.line("slope").querySelector<HTMLElement>(".ts-pool-before")?.hidden).toBe(true);
  });

  test("few rows are said", () => {
    const view = mount();
    view.receive("stress", FAR);
    expect(view.text("reliability")).toMatch(/^Unreliable: /);
    expect(view.at("reliability").classList.contains("ts-doubtful")).toBe(true);
    expect(view.at("bars").classList.contains("ts-is-unreliable")).toBe(true);
  });

  test("what cannot be shown is said, and the data stay", () => {
    const view = mount();
    view.receive("stress", { taus: { elsewhere: 0.5 }, hold: "none" });
    expect(view.text("population")).toContain("there is no feature “elsewhere” here");
    expect(view.text("population")).toContain("of the data as they are");
    expect(view.text("reading")).not.toContain("Changed");
    const refused = mount(pooledTraits("plain", { unstressable: "These are new rows." }));
    refused.receive("stress", AGE);
    expect(refused.text("population")).toContain("These are new rows. The bars");
  });

  test("features stay in their order until another is chosen", () => {
    const view = mount();
    const before = view.lines();
    view.receive("stress", FAR);
    expect(view.lines()).toEqual(before);
    const picker = view.at<HTMLSelectElement>("order");
    picker.value = "change";
    picker.dispatchEvent(new Event("change"));
    expect(view.state.order).toBe("change");
    const changes = [...view.at("bars").querySelectorAll(".ts-number")].map((number) => {
      const [from, to] = (number.textContent ?? "").replace(/−/g, "-").split(" → ").map(Number.parseFloat);
      return Math.abs((to as number) - (from as number));
    });
    expect(changes).toEqual([...changes].sort((a, b) => b - a));
  });

  test("a screen reader is told once it has come to rest", () => {
    vi.useFakeTimers();
    const view = mount();
    const live = view.el.querySelector("[aria-live]") as HTMLElement;
    view.receive("stress", AGE);
    expect(live.textContent).toBe("");
    vi.advanceTimersByTime(600);
    expect(live.textContent).toMatch(/^Age 48\..* Carried most by /);
  });
});

describe("many features", () => {
  test("show the largest until all are wanted", () => {
    const view = mount({ ...pooledTraits("plain"), n_features: 2 });
    expect(view.lines()).toHaveLength(2);
    expect(view.text("more")).toBe("Show all 4 features");
    view.at("more").click();
    expect(view.lines()).toHaveLength(4);
    expect(view.state.n_features).toBe(4);
  });
});

describe("past the page's budget", () => {
  test("the kernel answers, and what it answered last is greyed meanwhile", async () => {
    const [age, , far] = pooledAnswers("plain");
    const view = mount(unshippedTraits());
    view.receive("stress", AGE);
    expect(view.text("population")).toContain("on its way");
    for (const [name, value] of Object.entries(age ?? {})) view.receive(name, value);
    await painted();
    expect(view.text("population")).toContain("age 48.1 on average (was 39.3)");
    expect(view.text("tv")).toBe("0.327");
    view.receive("stress", FAR);
    expect(view.at("bars").classList.contains("ts-is-stale")).toBe(true);
    expect(view.text("population")).toContain("weighs the rows anew");
    for (const [name, value] of Object.entries(far ?? {})) view.receive(name, value);
    await painted();
    expect(view.at("bars").classList.contains("ts-is-stale")).toBe(false);
    view.receive("answer", { stress: FAR, error: "It cannot be." });
    await painted();
    expect(view.text("population")).toContain("It cannot be. The bars");
  });

  test("a page without a kernel says so", () => {
    const view = mount(unshippedTraits({ live: false }));
    view.receive("stress", AGE);
    expect(view.text("population")).toContain("too many rows for a page without a kernel");
  });
});

describe("the rows selected", () => {
  const GIVEN = Array.from({ length: 30 }, (_, k) => 2 * k);
  const hosted = (message: Record<string, unknown> = {}) =>
    mount(pooledTraits("plain", { n_errors: 7, ...message }));

  test("are pooled when that is asked for, and not before", () => {
    const view = mount();
    expect(view.at("pool").closest<HTMLElement>(".ts-pool-choice")?.hidden).toBe(true);
    view.receive("selection", [3, 4]);
    expect(view.text("choice")).toBe("Pooled are 30 of 60 rows, not the 2 rows selected.");
    expect(view.text("pool")).toBe("Compute for the 2 rows selected");
    expect(view.text("rows")).toBe("Pooled: 30 of 60 rows");
    expect(view.state.compute).toBe(0);
    view.at("pool").click();
    expect([view.state.compute, view.state.stop]).toEqual([1, 0]);
    view.receive("selection", [3]);
    expect(view.text("pool")).toBe("Compute for the 1 row selected");
    view.receive("selection", GIVEN);
    expect(view.find(".ts-pool-choice").hidden).toBe(true);
    expect(view.text("rows")).toBe("Pooled: the 30 rows selected");
    view.receive(
      "selection",
      GIVEN.map((row) => row + 1),
    );
    expect(view.find(".ts-pool-choice").hidden).toBe(false);
  });

  test("are drawn from where they are many, and said so", () => {
    const view = mount(pooledTraits("plain", { max_rows: 10, n_given: 30, n_chosen: 10 }));
    view.receive("selection", GIVEN);
    expect(view.text("rows")).toBe("Pooled: 10 drawn from the 30 rows selected");
    view.receive("selection", GIVEN.slice(1));
    expect(view.text("pool")).toBe("Compute for 10 of the 29 rows selected");
  });

  test("where there are none, in a workspace, give way to those misclassified", () => {
    const view = hosted();
    expect(view.text("choice")).toBe("No row is selected.");
    expect(view.text("pool")).toBe("Compute for the 7 rows misclassified");
    expect(hosted({ given: "errors" }).find(".ts-pool-choice").hidden).toBe(true);
  });

  test("that are all are known as all", () => {
    const view = mount(pooledTraits("plain", { given: "all" }));
    view.receive("selection", [0, 1]);
    expect(view.find(".ts-pool-choice").hidden).toBe(false);
    view.receive(
      "selection",
      Array.from({ length: 60 }, (_, k) => k),
    );
    expect(view.find(".ts-pool-choice").hidden).toBe(true);
  });

  test("are on their way: how far, a way to stop, and the old bars in grey", () => {
    const view = mount();
    view.receive("selection", [3]);
    view.receive("progress", { doing: "Asking <b>Model</b> about 1 row", n_model_rows: 0, error: "" });
    expect(view.text("choice")).toBe("Asking <b>Model</b> about 1 row…");
    view.receive("progress", { doing: "Asking Model about 1 row", n_model_rows: 1500, error: "" });
    expect(view.text("choice")).toBe("Asking Model about 1 row: 1,500 model rows…");
    expect(view.find(".ts-main").classList.contains("ts-is-stale")).toBe(true);
    expect(view.text("pool")).toBe("Cancel");
    view.at("pool").click();
    expect([view.state.compute, view.state.stop]).toEqual([0, 1]);
    view.receive("progress", { doing: "", n_model_rows: 0, error: "the server is <down>" });
    expect(view.text("choice")).toBe("the server is <down>");
    expect(view.find(".ts-pool-choice").classList.contains("ts-failed")).toBe(true);
    expect(view.text("pool")).toBe("Compute for the 1 row selected");
    expect(view.find(".ts-main").classList.contains("ts-is-stale")).toBe(false);
  });

  test("cannot be pooled without a kernel, which is said", () => {
    const view = mount(pooledTraits("plain", { live: false, offline: "No kernel here." }));
    view.receive("selection", [3]);
    expect(view.text("choice")).toBe("Pooled are 30 of 60 rows, not the 1 row selected. No kernel here.");
    expect(view.at("pool").hidden).toBe(true);
  });

  test("once pooled are drawn in place of those before, and the keyboard stays in the view", async () => {
    const view = mount();
    view.receive("selection", [1, 3]);
    view.at("pool").focus();
    const next = pooledTraits("weighted", { given: "rows", rows: "2 of 60 rows", n_given: 2 });
    view.state.given_rows = new Uint8Array(Uint32Array.of(1, 3).buffer);
    view.receive("message", next.message);
    await painted();
    expect(view.text("rows")).toBe("Pooled: the 2 rows selected");
    expect(view.root.contains(document.activeElement)).toBe(true);
  });
});

describe("the rows pooled", () => {
  const openRows = async (state?: Record<string, unknown>) => {
    const view = mount(state);
    const details = view.at<HTMLDetailsElement>("pooled-rows");
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    await painted();
    const lines = () => [...view.at("rows-pooled").children] as HTMLElement[];
    const cells = (line: HTMLElement) => [...line.children].map((cell) => cell.textContent);
    const alike = () => lines().map((line) => Number(cells(line)[3]?.replace("−", "-")));
    return { ...view, lines, cells, alike };
  };

  test("stand least alike first, with what they are predicted and how far their flip is", async () => {
    const view = await openRows();
    expect(view.text("pooled-rows")).toMatch(/^The 30 rows pooled/);
    expect(view.lines()).toHaveLength(30);
    expect(view.alike()).toEqual([...view.alike()].sort((a, b) => a - b));
    for (const line of view.lines()) expect(view.cells(line)[1]).toMatch(/^[ab]$/);
    expect(view.text("pooled-rows")).toContain("distance, Gower");
    expect(view.lines().every((line) => Number(line.dataset.row) % 2 === 0)).toBe(true);
  });

  test("a click or a key chooses one, for views linked to this one", async () => {
    const view = await openRows();
    const line = view.lines()[2] as HTMLElement;
    line.querySelector("button")?.click();
    expect(view.state.row).toBe(Number(line.dataset.row));
    await painted();
    expect(line.getAttribute("aria-current")).toBe("true");
    view.receive("row", 5);
    await painted();
    expect(view.el.querySelector("[aria-current]")).toBeNull();
  });

  test("keep their places under a stress, and say how alike they are under it", async () => {
    const view = await openRows();
    const [rows, before] = [view.lines().map(({ dataset }) => dataset.row), view.alike()];
    view.receive("stress", FAR);
    await painted();
    await painted();
    expect(view.lines().map(({ dataset }) => dataset.row)).toEqual(rows);
    expect(view.alike()).not.toEqual(before);
  });

  test("past a window are listed when asked for", async () => {
    const many = 70;
    const traits = pooledTraits("plain");
    const repeated = (name: string, size: number) => {
      const bytes = traits[name] as Uint8Array;
      return Uint8Array.from({ length: many * size }, (_, k) => bytes[k % bytes.length] as number);
    };
    const sizes = {
      places: 4,
      directions: 16,
      presence: bytesOf(traits, "presence"),
      distances: 4,
      decisions: 4,
    };
    const longer = Object.entries(sizes).map(([name, size]) => [name, repeated(name, size)]);
    const view = await openRows({ ...traits, ...Object.fromEntries(longer) });
    expect(view.lines()).toHaveLength(50);
    expect(view.text("more-rows")).toBe("List 20 more of 70");
    view.at("more-rows").click();
    expect(view.lines()).toHaveLength(70);
    expect(view.at("more-rows").hidden).toBe(true);
  });

  test("are not listed where they did not come along", () => {
    expect(mount(unshippedTraits()).at("pooled-rows")).toBeNull();
  });
});

function bytesOf(traits: Record<string, unknown>, name: string): number {
  return (traits[name] as Uint8Array).length / 30;
}

test("what cannot be read is said, and nothing is left behind", () => {
  const broken = mount(pooledTraits("plain", { parted: [7] }));
  expect(broken.el.querySelector("[role=alert]")?.textContent).toContain("parted");
  const view = mount();
  expect(view.listening()).toBeGreaterThan(0);
  view.end();
  expect(view.listening()).toBe(0);
});
