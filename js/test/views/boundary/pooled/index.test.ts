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
    const details = view.el.querySelector("details") as HTMLDetailsElement;
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
    expect(view.text("population")).toMatch(
      /^age 48\.\d+ on average instead of 39\.\d+, otherwise as similar/,
    );
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
    expect(view.text("population")).toContain("age 48.1 on average instead of 39.3");
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

test("what cannot be read is said, and nothing is left behind", () => {
  const broken = mount(pooledTraits("plain", { parted: [7] }));
  expect(broken.el.querySelector("[role=alert]")?.textContent).toContain("parted");
  const view = mount();
  expect(view.listening()).toBeGreaterThan(0);
  view.end();
  expect(view.listening()).toBe(0);
});
