// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/stress/curves/index";
import type { StressCurvesTraits } from "../../../../src/wire/stress/curves";
import { type ExampleOptions, example, targetAt, valueAt } from "../../../support/example";
import { fakeModel } from "../../../support/fake_model";
import { mountView, painted } from "../../../support/view";

afterEach(() => {
  vi.useRealTimers();
});

type Given = ReturnType<typeof example>;

function mount(given: Given = example(), traits: Partial<Record<keyof StressCurvesTraits, unknown>> = {}) {
  const view = mountView(widget, { ...given.traits, message: given.message, ...given.buffers, ...traits });
  return {
    ...view,
    slider: (feature: string) =>
      view.find<HTMLInputElement>(`input[data-testid="tau"][data-feature="${feature}"]`),
    sliders: () => view.all("tau") as HTMLInputElement[],
    picker: (testid: string) => view.at<HTMLSelectElement>(testid),
  };
}

type Mounted = ReturnType<typeof mount>;

function press(
  { slider }: Mounted,
  feature: string,
  key: string,
  more: KeyboardEventInit = {},
): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  slider(feature).dispatchEvent(event);
  return event;
}

function slide({ slider }: Mounted, feature: string, tau: number): void {
  slider(feature).value = String(tau);
  slider(feature).dispatchEvent(new Event("input", { bubbles: true }));
}

function pick(view: Mounted, testid: string, value: string): void {
  const picker = view.picker(testid);
  picker.value = value;
  picker.dispatchEvent(new Event("change", { bubbles: true }));
}

const percent = (share: number, decimals = 1) => `${(100 * share).toFixed(decimals)} %`;

describe("at rest", () => {
  test("shows the data as they are", async () => {
    const view = mount();
    expect(view.text("population")).toBe("the data as they are: 6,400 rows");
    expect(view.find('[data-testid="population-trust"]').hidden).toBe(true);
    expect(view.find('[data-testid="population-details"]').hidden).toBe(true);
    expect(view.text("trust")).toMatch(/^As tested/);
    expect(view.find('[data-testid="change"]').closest<HTMLElement>("[hidden]")).not.toBeNull();
    expect(view.find('[data-testid="baseline"]').closest<HTMLElement>("[hidden]")).not.toBeNull();
    expect(view.root.className).toBe("tauscope ts-stress-curves");
    expect(view.root.dataset.ready).toBeUndefined();
    await painted();
    expect(view.root.dataset.ready).toBe("1");
    expect(view.root.dataset.rev).toBe("1");
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("takes up the traits it is given", () => {
    const view = mount(example(), { tau: 0.5, feature: "hours", metric: "error_rate", rank_by: "slope" });
    expect(view.slider("hours").value).toBe("0.5");
    expect(view.text("value")).toBe(percent(valueAt(2, 1, 0.5), 2));
    expect(view.picker("metric").value).toBe("error_rate");
    expect(view.picker("rank-by").value).toBe("slope");
  });

  test("lists the features by influence, every control out of the host's shortcuts", () => {
    const view = mount();
    expect(view.sliders().map((input) => input.dataset.feature)).toEqual(["hours", "sex = Female", "age"]);
    for (const control of view.el.querySelectorAll<HTMLElement>(
      "input, select, button, summary, [tabindex]",
    )) {
      expect(control.dataset.lmSuppressShortcuts).toBe("true");
    }
  });

  test("says what was left out, and the notes of a side at its slider", () => {
    const features = [
      { name: "gain", note_low: "τ = −1 is the minimum", note_high: "95 % are 0", n_missing: 3 },
    ];
    const view = mount(example({ features }));
    expect(view.find(".ts-row").textContent).toContain("τ = −1 is the minimum");
    expect(view.find(".ts-row").textContent).toContain("3 rows without a value");
    expect(view.slider("gain").getAttribute("aria-description")).toBe("τ = −1 is the minimum 95 % are 0");
    expect(view.find(".ts-features").textContent).toContain("country is constant");
  });
});

describe("the first look", () => {
  const words = (view: Mounted) => view.text("at-rest");
  test("says what moving the chosen feature does, from the numbers shipped", () => {
    const view = mount(example(), { feature: "hours" });
    const tau = 0.5;
    const [before, now] = [valueAt(2, 0, 0), valueAt(2, 0, tau)].map((share) => (100 * share).toFixed(1));
    const mean = targetAt(40.4, tau).toFixed(1);
    expect(words(view)).toBe(
      `Move hours: at ${mean} on average, share predicted 1 goes from ${before} to ${now} %.`,
    );
    press(view, "age", "ArrowRight");
    expect(view.find('[data-testid="change"]').closest("[hidden]")).toBeNull();
    pick(view, "metric", "error_rate");
    view.receive("stress", { taus: {}, hold: "none" });
    view.receive("feature", "sex = Female");
    expect(words(view)).toMatch(/^Move sex = Female: at a share of \S+ %, error rate goes from 30\.0/);
  });
  test("is about the feature that is selected, whichever was strongest", () => {
    const view = mount();
    const chosen = () => view.find(".ts-row.ts-is-chosen [data-feature]").getAttribute("data-feature");
    for (const feature of ["age", "hours"]) {
      view.receive("feature", feature);
      expect(words(view)).toContain(`Move ${chosen()}: `);
    }
  });
  test("promises nothing where no step was found", () => {
    const features = [{ name: "age", mean: 38.6, first: [-1, -1, -1, -1, -1] }];
    const view = mount(example({ features }));
    expect(words(view)).toBe("Move a slider, or type a value, to see another population.");
  });
});

describe("a key on a slider", () => {
  test("moves every number to what was shipped for that τ", async () => {
    const view = mount();
    await painted();
    const event = press(view, "age", "ArrowRight");
    expect(event.defaultPrevented).toBe(true);
    const tau = 0.25;
    expect(view.text("value")).toBe(percent(valueAt(0, 0, tau)));
    const bounds = [-0.01, 0.01].map((half) => (100 * (valueAt(0, 0, tau) + half)).toFixed(1));
    expect(view.text("interval")).toBe(bounds.join(" – "));
    expect(view.text("change")).toBe("+0.5 points");
    const mean = targetAt(38.6, tau).toFixed(1);
    expect(view.text("population")).toContain(`age ${mean} on average (was 38.6)`);
    expect(view.text("population-trust")).toBe("● reliable: 5,600 effective rows of 6,400");
    expect(view.text("tv")).toBe("0.050");
    expect(view.text("kl")).toBe("0.003 nats");
    expect(view.text("pareto-k")).toBe("0.10");
    expect(view.slider("age").getAttribute("aria-valuetext")).toBe(`τ 0.25, age ${mean} on average`);
    expect(view.find(".ts-row.ts-is-chosen .ts-number").textContent).toBe("38.6 → ");
    expect(view.find<HTMLInputElement>(".ts-row.ts-is-chosen .ts-value-box").value).toBe(mean);
    await painted();
    expect(view.state.tau).toBe(0.25);
    expect(view.saves).toHaveBeenCalledTimes(1);
    expect(view.root.dataset.rev).toBe("2");
    expect(Number(view.root.dataset.latency)).toBeGreaterThan(0);
  });

  test.each([
    ["ArrowLeft", "-0.25"],
    ["PageUp", "0.25"],
    ["Home", "-1"],
    ["End", "1"],
  ])("%s", (key, value) => {
    const view = mount();
    press(view, "age", key);
    expect(view.slider("age").value).toBe(value);
  });

  test("Escape and a double click put it back; Reset too", () => {
    const view = mount();
    press(view, "age", "End");
    press(view, "age", "Escape");
    expect(view.slider("age").value).toBe("0");
    press(view, "age", "End");
    view.slider("age").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    expect(view.slider("age").value).toBe("0");
    press(view, "age", "End");
    view.find('[data-testid="reset"]').click();
    expect(view.slider("age").value).toBe("0");
    expect(view.text("population")).toContain("the data as they are");
  });

  test("with a modifier, or none of the slider's, is the host's", () => {
    const view = mount();
    expect(press(view, "age", "ArrowRight", { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(press(view, "age", "Tab").defaultPrevented).toBe(false);
    expect(view.slider("age").value).toBe("0");
  });
});

describe("features that are not moved", () => {
  const features = [
    { name: "age", mean: 38.6 },
    { name: "sex = Female", column: "sex", level: "Female", kind: "share" as const, mean: 0.4, edges: [] },
    { name: "sex = Male", column: "sex", level: "Male", kind: "share" as const, mean: 0.6, edges: [] },
  ];
  const aside = (view: Mounted, name: string) =>
    ["span.ts-number", "input"]
      .map((kind) => view.slider(name).closest(".ts-row")?.querySelector(`.ts-aside ${kind}`))
      .map((one) => (one instanceof HTMLInputElement ? one.value : one?.textContent))
      .join("");

  test("the other level shows what is left to it, other columns what they were before", () => {
    const view = mount(example({ features }));
    view.find('[data-testid="category"]').click();
    expect(aside(view, "sex = Male")).toBe("60.0 %");
    press(view, "sex = Female", "End");
    expect(aside(view, "sex = Female")).toBe("40.0 % → 48.0 %");
    expect(aside(view, "sex = Male")).toBe("60.0 % → 52.0 %");
    expect(aside(view, "age")).toBe("was 38.6");
    expect(view.slider("sex = Male").getAttribute("aria-valuetext")).toBe(
      "τ 0.00, share of sex = Male 52.0 %, following",
    );
    expect(view.slider("age").getAttribute("aria-valuetext")).toBe("τ 0.00, age 38.6 on average before");
    press(view, "age", "Home");
    expect(aside(view, "sex = Female")).toBe("was 40.0 %");
    press(view, "age", "Escape");
    for (const { name, mean } of features) {
      expect(aside(view, name)).toBe(mean < 1 ? percent(mean, 1) : "38.6");
    }
  });
});

describe("a category", () => {
  const level = (name: string, mean: number) => ({
    name: `education = ${name}`,
    column: "education",
    level: name,
    kind: "share" as const,
    mean,
    edges: [],
  });
  const levels = [level("HS-grad", 0.6), level("Masters", 0.39), level("Prof", 0.006), level("10th", 0.004)];
  const features = [{ name: "age" }, ...levels];
  const toggles = (view: Mounted) => [
    ...view.el.querySelectorAll<HTMLButtonElement>('[data-testid="category"]'),
  ];
  const state = (view: Mounted) =>
    toggles(view).map((one) => `${one.getAttribute("aria-label")}, ${one.getAttribute("aria-expanded")}`);
  const key = (toggle: HTMLElement | undefined, name: string) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true });
    toggle?.dispatchEvent(event);
    return event.defaultPrevented;
  };

  test("is one row that keys open to its levels, named by themselves", () => {
    const view = mount(example({ features }), { feature: "education = Masters" });
    expect(view.find(".ts-category").classList.contains("ts-is-chosen")).toBe(true);
    expect(view.sliders()).toHaveLength(1);
    expect(state(view)).toEqual(["education 4 levels, false"]);
    expect(key(toggles(view)[0], "ArrowRight")).toBe(true);
    expect(state(view)).toEqual(["education 4 levels, true", "other levels 2 levels of education, false"]);
    expect(
      view.slider("education = Masters").closest(".ts-row")?.querySelector(".ts-feature")?.textContent,
    ).toBe("Masters");
    toggles(view)[1]?.click();
    expect(view.sliders()).toHaveLength(5);
    key(toggles(view)[0], "ArrowLeft");
    expect(view.sliders()).toHaveLength(1);
    expect(key(toggles(view)[0], "ArrowLeft")).toBe(true);
    expect(key(toggles(view)[0], "Enter")).toBe(false);
  });

  test("opens to the level that is chosen, and says it when closed again", () => {
    const view = mount(example({ features }), { feature: "education = Prof", tau: 0.5 });
    expect(view.find(".ts-title").textContent).toContain("2 columns");
    expect(view.sliders()).toHaveLength(5);
    press(view, "education = Prof", "Escape");
    press(view, "education = Prof", "ArrowRight");
    key(toggles(view)[0], "ArrowLeft");
    const head = view.find(".ts-category");
    expect(head.classList.contains("ts-is-chosen")).toBe(true);
    expect(head.querySelector(".ts-category-now")?.textContent).toMatch(/^Prof: 0\.6\S* % → 0\.6\S* %$/);
    view.receive("stress", { taus: { age: 0.25 }, hold: "none" });
    expect(head.querySelector(".ts-category-now")?.textContent).toBe("");
    view.receive("stress", { taus: { "education = Masters": 0.25 }, hold: "none" });
    expect(view.slider("education = Masters").value).toBe("0.25");
    expect(state(view)[0]).toBe("education 4 levels, true");
  });
});

test.each([101, 41, 21])("PageUp and PageDown move τ by 0.2 on a grid of %i steps", (steps) => {
  const view = mount(example({ steps }));
  press(view, "age", "PageUp");
  press(view, "age", "PageUp");
  expect(Number(view.slider("age").value)).toBeCloseTo(0.4, 9);
  press(view, "age", "PageDown");
  expect(Number(view.slider("age").value)).toBeCloseTo(0.2, 9);
});

test("the sliders come before the chart where they stand left of it, and after it where below", () => {
  let resize: (width: number) => void = () => undefined;
  const Observer = class {
    constructor(call: (entries: { contentRect: { width: number } }[]) => void) {
      this.call = call;
    }
    call: (entries: { contentRect: { width: number } }[]) => void;
    observe(element: Element) {
      if (element.classList.contains("ts-panel")) resize = (width) => this.call([{ contentRect: { width } }]);
    }
    disconnect() {}
  };
  vi.stubGlobal("ResizeObserver", Observer);
  const view = mount();
  const order = () => {
    const slider = view.sliders()[0] as HTMLElement;
    const after = slider.compareDocumentPosition(view.picker("metric")) & Node.DOCUMENT_POSITION_FOLLOWING;
    return after ? "sliders, chart" : "chart, sliders";
  };
  expect(order()).toBe("chart, sliders");
  resize(900);
  expect(order()).toBe("sliders, chart");
  resize(400);
  expect(order()).toBe("chart, sliders");
  vi.unstubAllGlobals();
});

describe("values typed", () => {
  function type(view: Mounted, name: string, text: string) {
    const row = view.slider(name).closest(".ts-row") as HTMLElement;
    const box = row.querySelector(".ts-value-box") as HTMLInputElement;
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    return [box.value, row.querySelector(".ts-problem")?.textContent, box.getAttribute("aria-invalid")];
  }
  test("lead to the nearest step, and say so where that is another value", () => {
    const view = mount();
    const low = targetAt(38.6, -0.25).toFixed(1);
    expect(type(view, "age", "36.67")).toEqual([low, "", null]);
    expect(view.slider("age").value).toBe("-0.25");
    const high = targetAt(38.6, 0.5).toFixed(1);
    expect(type(view, "age", "+4")).toEqual([high, `The nearest step of these curves is ${high}.`, null]);
    expect(type(view, "age", "99")).toEqual(["99", "Here age goes from 30.9 to 46.3.", "true"]);
    expect(view.slider("age").value).toBe("0.5");
  });
});

describe("other grids of τ", () => {
  test("one side only", () => {
    const view = mount(example({ taus: [0, 0.25, 0.5, 1] }));
    expect(view.slider("age").min).toBe("0");
    expect(view.slider("age").step).toBe("any");
    press(view, "age", "ArrowLeft");
    expect(view.slider("age").value).toBe("0");
    press(view, "age", "End");
    expect(view.text("value")).toBe(percent(valueAt(0, 0, 1), 2));
    expect(view.slider("age").style.getPropertyValue("--ts-zero")).toBe("0");
    expect(view.find(".ts-front").getAttribute("aria-label")).toContain("at τ 0.00");
  });
  test("nothing but the data as they are", () => {
    const view = mount(example({ taus: [0] }));
    press(view, "age", "ArrowRight");
    expect(view.text("population")).toContain("the data as they are");
    expect(view.find("[role=alert]")).toBeNull();
  });
});

describe("one stress at a time", () => {
  test("moving another slider chooses its feature and puts the first back", async () => {
    const view = mount();
    slide(view, "age", 0.5);
    slide(view, "sex = Female", -0.5);
    expect(view.slider("age").value).toBe("0");
    expect(view.text("population")).toMatch(/^sex = Female for 29\.7 % of rows \(was 33\.0 %\)/);
    await painted();
    expect(view.find(".ts-before-after h3").textContent).toBe("sex = Female, before and after");
    await painted();
    expect([view.state.tau, view.state.feature]).toEqual([-0.5, "sex = Female"]);
    expect(view.saves).toHaveBeenCalledTimes(1);
  });

  test("a value between two steps goes to the nearer", () => {
    const view = mount();
    view.slider("age").step = "any";
    slide(view, "age", 0.4);
    expect(view.slider("age").value).toBe("0.5");
  });

  test("a click on a name chooses the feature where τ stands", () => {
    const view = mount(example(), { tau: 0.5 });
    const row = view.slider("hours").closest(".ts-row");
    row?.querySelector<HTMLElement>(".ts-row-head")?.click();
    expect(view.slider("hours").value).toBe("0.5");
    expect(view.text("population")).toContain("hours");
  });
});

describe("the stress that views share", () => {
  test("a key tells it", async () => {
    const view = mount(example(), { stress: { taus: {}, hold: "none" } });
    press(view, "age", "ArrowRight");
    expect(view.state.stress).toEqual({ taus: { age: 0.25 }, hold: "none" });
    press(view, "age", "Escape");
    expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
    await painted();
    expect(view.saves).toHaveBeenCalledTimes(1);
  });

  test("another view's moves feature and slider, and is not answered", async () => {
    const view = mount(example(), { stress: { taus: {}, hold: "none" } });
    view.receive("stress", { taus: { hours: 0.5 }, hold: "none" });
    expect(view.slider("hours").value).toBe("0.5");
    expect(view.text("value")).toBe(percent(valueAt(2, 0, 0.5)));
    expect(view.find(".ts-elsewhere").hidden).toBe(true);
    // the kernel's own tau comes late, and moves nothing
    view.receive("tau", 0.25);
    expect(view.slider("hours").value).toBe("0.5");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("of two features leaves the data as they are, in words, until a slider is moved", () => {
    const both = { taus: { age: 0.5, hours: 0.5 }, hold: "none" };
    const view = mount(example(), { stress: both });
    expect(view.text("elsewhere")).toContain("one feature at a time");
    expect(view.text("population")).toContain("the data as they are");
    pick(view, "metric", "error_rate");
    expect(view.state.stress).toEqual(both);
    press(view, "age", "ArrowRight");
    expect(view.state.stress).toEqual({ taus: { age: 0.25 }, hold: "none" });
    expect(view.text("elsewhere")).toBe("");
  });
});

describe("the kernel", () => {
  test("moves the slider through the traits", async () => {
    const view = mount();
    await painted();
    view.receive("tau", -0.5);
    view.receive("feature", "hours");
    expect(view.slider("hours").value).toBe("-0.5");
    expect(view.text("value")).toBe(percent(valueAt(2, 0, -0.5)));
    await painted();
    expect(view.root.dataset.rev).toBe("2");
    expect(view.root.dataset.latency).toBeUndefined();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("a new message replaces the panel", async () => {
    const view = mount();
    await painted();
    const next = example({ features: [{ name: "height", mean: 170 }] });
    view.receive("message", next.message);
    for (const [key, value] of Object.entries(next.buffers)) view.receive(key, value);
    await painted();
    expect(view.sliders().map((input) => input.dataset.feature)).toEqual(["height"]);
    expect(view.find("[role=alert]")).toBeNull();
  });
});

describe("pickers", () => {
  test("the metric changes the readout and the order of the sliders", async () => {
    const view = mount(example(), { tau: 0.5 });
    pick(view, "metric", "mean_score");
    expect(view.text("value")).toBe(valueAt(0, 4, 0.5).toFixed(5));
    await painted();
    expect(view.state.metric).toBe("mean_score");
  });

  test("the ROC plane shows both rates", async () => {
    const view = mount(example(), { tau: 1 });
    pick(view, "metric", "roc");
    expect(view.text("value")).toBe(percent(valueAt(0, 2, 1), 2));
    expect(view.text("value-x")).toBe(percent(valueAt(0, 3, 1), 2));
    expect(view.find(".ts-front").getAttribute("aria-label")).toMatch(
      /^True positive rate against false positive rate, one line for each of 3 features\. .* False positive rate under stress of age/,
    );
    await painted();
    expect(view.state.metric).toBe("roc");
  });

  test("the rank is saved", async () => {
    const view = mount();
    pick(view, "rank-by", "slope");
    await painted();
    expect(view.state.rank_by).toBe("slope");
  });
});

describe("reliability in words", () => {
  const judged = (name: string, amount: number) =>
    example({ judged: (_, tau) => (tau > 0 ? [name, amount] : ["none", 0]) });
  test.each([
    ["few_events", 9, "Wide: 9 effective rows predicted 1: read the interval", "ts-wide", ".ts-is-wide"],
    ["few_rows_beyond", 7, "Unreliable: only 7 rows lie at or", "ts-doubtful", ".ts-faded"],
  ])("%s", (name, amount, words, mark, line) => {
    const view = mount(judged(name, amount));
    press(view, "age", "ArrowRight");
    expect(view.text("trust")).toContain(words);
    expect(view.find('[data-testid="trust"]').classList.contains(mark)).toBe(true);
    expect(view.text("pareto-k")).toBe("0.10");
    expect(view.find(`.ts-chosen${line}`).getAttribute("d")).not.toBe("");
    expect(view.find(".ts-chosen.ts-is-wide").getAttribute("d") === "").toBe(line === ".ts-faded");
    press(view, "age", "Escape");
    expect(view.text("trust")).toContain("As tested");
    expect(view.find('[data-testid="trust"]').classList.contains(mark)).toBe(false);
  });
  test("is that of the metric shown, of two the worse", () => {
    const example_ = example();
    const { metrics, taus, reliability } = example_.message;
    const reasons = example_.buffers.reasons.slice();
    const rate = metrics.findIndex((metric) => metric.name === "false_positive_rate");
    const code = reliability.findIndex((reason) => reason.name === "few_events");
    taus.forEach((_, t) => {
      reasons.set([code, 4], 2 * (rate * taus.length + t));
    });
    const view = mount({ ...example_, buffers: { ...example_.buffers, reasons } });
    press(view, "age", "ArrowRight");
    expect(view.text("trust")).toMatch(/^Reliable/);
    pick(view, "metric", "false_positive_rate");
    expect(view.text("trust")).toMatch(/^Wide: 4 effective false positives/);
    pick(view, "metric", "roc");
    expect(view.text("trust")).toMatch(/^Wide: 4 effective false positives/);
  });
});

describe("the chart under the pointer", () => {
  function pointer(view: Mounted, type: string, x: number, y: number): void {
    const event = new MouseEvent(type, { clientX: x, clientY: y, bubbles: true });
    view.find(".ts-front").dispatchEvent(event);
  }
  const middle = { x: 300, y: 360 };

  test("a click beside the lines sets τ, a drag follows", async () => {
    const view = mount();
    pointer(view, "pointerdown", 62, middle.y);
    pointer(view, "pointerup", 62, middle.y);
    expect(view.slider("age").value).toBe("-1");
    pointer(view, "pointerdown", 100, middle.y);
    pointer(view, "pointermove", 630, middle.y);
    expect(view.slider("age").value).toBe("1");
    pointer(view, "pointerup", 630, middle.y);
    pointer(view, "pointermove", 62, middle.y);
    expect(view.slider("age").value).toBe("1");
  });

  test("hovering names a line, clicking chooses it", () => {
    const view = mount();
    const y = (row: number) => Number(view.el.querySelectorAll(".ts-front .ts-name")[row]?.getAttribute("y"));
    const names = [...view.el.querySelectorAll(".ts-front .ts-name")].map(
      (name) => name.firstChild?.textContent,
    );
    const hours = names.indexOf("hours");
    expect(hours).toBeGreaterThanOrEqual(0);
    const end = Number(view.find(".ts-baseline").getAttribute("x2"));
    pointer(view, "pointermove", end, y(hours));
    expect(view.find(".ts-pointed").getAttribute("visibility")).toBe("visible");
    expect(view.find(".ts-pointed text").textContent).toBe("hours");
    expect(view.slider("hours").closest(".ts-row")?.classList.contains("ts-is-pointed")).toBe(true);
    pointer(view, "pointerdown", end, y(hours));
    pointer(view, "pointerup", end, y(hours));
    expect(view.state.feature).toBe("hours");
    pointer(view, "pointerleave", 0, 0);
    expect(view.find(".ts-pointed").getAttribute("visibility")).toBe("hidden");
  });
});

describe("reading it without seeing it", () => {
  test("the numbers are said once they rest", () => {
    vi.useFakeTimers();
    const view = mount();
    const said = view.find("[role=status]");
    press(view, "age", "ArrowRight");
    press(view, "age", "ArrowRight");
    expect(said.textContent).toBe("");
    vi.advanceTimersByTime(600);
    expect(said.textContent).toBe("share predicted 1 21.0 %, interval 20.0 – 22.0, as tested 20.0 %.");
  });

  test("charts have words, and tables behind them", () => {
    const view = mount();
    expect(view.find(".ts-front").getAttribute("aria-label")).toMatch(
      /^Share predicted 1 against τ, one .* under stress of age: 18.0 % at τ −1.00/,
    );
    const details = view.find<HTMLDetailsElement>(".ts-chart details");
    expect(details.querySelector("table")).toBeNull();
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    expect(details.querySelectorAll("tbody tr")).toHaveLength(9);
    press(view, "sex = Female", "ArrowRight");
    expect(details.querySelector("caption")?.textContent).toContain("sex = Female");
  });
});

test("at most eight lines are drawn, the chosen one among them, and the rest is a band", () => {
  const features = Array.from({ length: 12 }, (_, k) => ({ name: `pixel ${k}` }));
  const view = mount(example({ features }), { feature: "pixel 0" });
  const ends = () => [...view.el.querySelectorAll(".ts-front .ts-name title")].map((one) => one.textContent);
  const paths = () => view.find(".ts-back").innerHTML;
  expect(view.el.querySelectorAll(".ts-back path.ts-line:not(.ts-faded, .ts-is-wide)")).toHaveLength(8);
  expect(view.find(".ts-envelope").getAttribute("d")).toMatch(/^M.*Z$/);
  expect(view.find(".ts-lines").textContent).toMatch(/^Lines: 8 of 12\. Grey band/);
  expect(view.find(".ts-front").getAttribute("aria-label")).toContain("each of 8 of 12 features");
  expect(ends()).toContain("pixel 0");
  const before = paths();
  view.receive("feature", "pixel 11");
  expect(paths()).toBe(before);
  view.receive("feature", "pixel 1");
  expect(paths()).not.toBe(before);
  expect(ends()).toContain("pixel 1");
  pick(view, "metric", "roc");
  expect(view.find(".ts-envelope")).toBeNull();
  expect(view.find(".ts-lines").textContent).toBe("Lines: 8 of 12.");
});

describe("hostile and many names", () => {
  test("markup in a name is text", () => {
    const name = '<img src=x onerror="window.hit=1">';
    const view = mount(example({ features: [{ name }, { name: "b" }] }), { tau: 0.5, feature: name });
    expect(view.el.querySelector("img")).toBeNull();
    expect(view.text("population")).toContain(name);
    expect(view.sliders().map((input) => input.dataset.feature)).toContain(name);
  });

  test("a thousand pixels: eight sliders, a search, and more on demand", () => {
    const options: ExampleOptions = {
      features: Array.from({ length: 784 }, (_, k) => ({ name: `pixel ${k}`, mean: 1 + k })),
      steps: 21,
    };
    const view = mount(example(options), { feature: "pixel 0" });
    expect(view.sliders()).toHaveLength(9);
    expect(view.find(".ts-more").textContent).toBe("+ 775 more");
    expect(view.el.querySelectorAll("*").length).toBeLessThan(900);
    view.find(".ts-more").click();
    expect(view.sliders()).toHaveLength(41);
    const search = view.find<HTMLInputElement>('[data-testid="search"]');
    search.value = "pixel 77";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    expect(view.sliders().length).toBe(8);
    search.value = "no such";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    expect(view.sliders()).toHaveLength(0);
    expect(view.find(".ts-nothing").textContent).toContain("no such");
  });
});

describe("what cannot be shown is said", () => {
  test("nothing yet", () => {
    const view = mount(example(), { message: {} });
    expect(view.find("[role=status]").textContent).toContain("Waiting");
  });
  test("no features", () => {
    const view = mount(example({ features: [] }));
    expect(view.el.textContent).toContain("There is no feature to stress.");
    expect(view.el.textContent).toContain("country is constant");
  });
  test.each([
    [{ message: { ...example().message, version: 7 } }, /version 1 .* received version 7/],
    [{ curves: new DataView(new ArrayBuffer(8)) }, /"curves" must hold/],
    [{ message: "junk" }, /"message" must be an object/],
  ])("a bad message: %o", (traits, reason) => {
    const view = mount(example(), traits);
    expect(view.find("[role=alert]").textContent).toMatch(reason);
  });
  test("and a good one repairs it", async () => {
    const given = example();
    const view = mount(given, { message: {} });
    view.receive("message", given.message);
    await painted();
    expect(view.sliders()).toHaveLength(3);
  });
});

describe("the end", () => {
  /** The listeners on elements, document and window that nothing has taken off again. */
  function watchListeners() {
    const held = new Set<string>();
    let added = 0;
    const ids = new Map<unknown, string>();
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    vi.spyOn(EventTarget.prototype, "addEventListener").mockImplementation(function (
      this: EventTarget,
      type,
      listener,
      options,
    ) {
      const id = `${added++} ${type} on ${this.constructor.name}`;
      held.add(id);
      ids.set(listener, id);
      const signal = typeof options === "object" ? options.signal : undefined;
      signal?.addEventListener("abort", () => held.delete(id));
      addEventListener.call(this, type, listener, options);
    });
    vi.spyOn(EventTarget.prototype, "removeEventListener").mockImplementation(function (
      this: EventTarget,
      type,
      listener,
      options,
    ) {
      held.delete(ids.get(listener) ?? "");
      removeEventListener.call(this, type, listener, options);
    });
    return { held, added: () => added };
  }

  test.each(["signal", "cleanup"])("by %s leaves no listener, no timer, nothing on the page", async (way) => {
    const watch = watchListeners();
    const view = mount();
    press(view, "age", "ArrowRight");
    view.receive("message", example({ features: [{ name: "height" }] }).message);
    await painted();
    view.receive("message", view.state.message);
    expect(watch.added()).toBeGreaterThan(20);
    expect(view.listening()).toBeGreaterThan(0);
    if (way === "signal") view.life.abort();
    else view.end();
    expect([...watch.held]).toEqual([]);
    expect(view.listening()).toBe(0);
    expect(view.el.children).toHaveLength(0);
    const revision = view.root.dataset.rev;
    await painted();
    expect(view.root.dataset.rev).toBe(revision);
  });

  test("a host without signals can end it too", () => {
    const given = example();
    const fake = fakeModel({ ...given.traits, message: given.message, ...given.buffers });
    const el = document.createElement("div");
    const end = widget.render({ model: fake.model, el } as unknown as Parameters<typeof widget.render>[0]);
    expect(el.children).toHaveLength(1);
    end();
    expect(el.children).toHaveLength(0);
    expect(fake.listening()).toBe(0);
  });
});
