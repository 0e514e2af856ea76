// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/stress/joint/index";
import { type JointOptions, jointExample } from "../../../support/joint_example";
import { isOff, mountView, press } from "../../../support/view";

const HOSTILE = "<img src=x onerror=alert(1)>";

function open(options: JointOptions = {}, state: Record<string, unknown> = {}, widget_manager?: unknown) {
  const view = mountView(widget, { ...jointExample(options), ...state }, widget_manager);
  const slider = (name: string) =>
    view.all("tau").find((one) => one.dataset.feature === name) as HTMLInputElement;
  const pressed = (name: string, key: string, times = 1) => {
    for (let k = 0; k < times; k++) press(slider(name), key);
  };
  return { ...view, slider, press: pressed };
}

/** The table and the pictures are drawn in the frame after the one with the population and its chosen metric. */
const nextFrame = () => {
  vi.advanceTimersToNextFrame();
  vi.advanceTimersToNextFrame();
};

const number = (words: string) => Number.parseFloat(words.replace("−", "-").replace(",", ""));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("several sliders at once", () => {
  test("opens on the data as they are", () => {
    const { text, el } = open();
    expect(text("population")).toBe("the data as they are: 400 rows");
    expect(text("value")).toBe(text("baseline"));
    expect(text("change")).toBe("none");
    expect(number(text("ess"))).toBe(400);
    expect(el.querySelector(".ts-error")).toBeNull();
  });

  test("every moved feature is in the sentence, the trait and the numbers", () => {
    const { text, press, state } = open();
    press("age", "ArrowRight", 30);
    press("hours", "PageDown");
    press("sex = Female", "ArrowRight", 10);
    expect(state.stress).toEqual({ taus: { age: 0.3, hours: -0.2, "sex = Female": 0.1 }, hold: "none" });
    const words = text("population");
    for (const part of ["age", "on average (was 39.9)", "hours", "sex = Female for"]) {
      expect(words).toContain(part);
    }
    expect(number(text("ess"))).toBeLessThan(400);
    expect(number(text("tv"))).toBeGreaterThan(0);
    expect(text("change")).not.toBe("none");
  });

  test("keys count in hundredths, Escape is 0, Home and End the ends", () => {
    const { press, slider, state } = open();
    press("age", "End");
    expect(slider("age").value).toBe("1");
    press("age", "ArrowLeft");
    expect(state.stress).toEqual({ taus: { age: 0.99 }, hold: "none" });
    press("age", "Escape");
    expect(state.stress).toEqual({ taus: {}, hold: "none" });
  });

  test("dragging moves, a double click puts back", () => {
    const { slider, state } = open();
    slider("age").value = "0.42";
    slider("age").dispatchEvent(new Event("input"));
    expect(state.stress).toEqual({ taus: { age: 0.42 }, hold: "none" });
    slider("age").dispatchEvent(new Event("dblclick"));
    expect(state.stress).toEqual({ taus: {}, hold: "none" });
  });

  test("reset takes everything back", () => {
    const { all, press, state, text } = open();
    const reset = all("reset")[0] as HTMLButtonElement;
    expect(isOff(reset)).toBe(true);
    press("age", "PageUp");
    all("hold-means")[0]?.click();
    expect(state.stress).toEqual({ taus: { age: 0.2 }, hold: "means" });
    reset.click();
    expect(state.stress).toEqual({ taus: {}, hold: "none" });
    expect(text("population")).toContain("the data as they are");
  });

  test("features that are not moved show where they went, and none when put back", () => {
    const { el, press, slider } = open();
    const aside = (name: string) =>
      [...(slider(name).closest(".ts-row")?.querySelectorAll<HTMLElement>(".ts-aside > *") ?? [])]
        .map((one) => (one instanceof HTMLInputElement ? one.value : one.hidden ? "" : one.textContent))
        .join("");
    const before = aside("hours");
    press("age", "ArrowRight", 40);
    nextFrame();
    expect(aside("hours")).toMatch(new RegExp(`^${before} → \\d`));
    expect(aside("hours").split(" → ")[1]).not.toBe(before);
    expect(slider("hours").closest(".ts-row")?.classList.contains("ts-is-following")).toBe(true);
    expect(slider("hours").getAttribute("aria-valuetext")).toMatch(
      /^τ 0\.00, hours .*, following the others$/,
    );
    expect(slider("age").closest(".ts-row")?.classList.contains("ts-is-following")).toBe(false);
    press("age", "Escape");
    nextFrame();
    expect(aside("hours")).toBe(before);
    expect(el.querySelector(".ts-is-following")).toBeNull();
  });

  test("what is held is said, and stays", () => {
    const { all, press, text, el } = open();
    press("age", "PageUp", 3);
    const drift = () =>
      [...el.querySelectorAll(".ts-love-row")].map((row) => number(row.lastElementChild?.textContent ?? ""));
    nextFrame();
    expect(Math.abs(drift()[1] as number)).toBeGreaterThan(0.02);
    all("hold-means")[0]?.click();
    expect(text("population")).toContain("the means of 3 other features stay");
    nextFrame();
    expect(drift().slice(1)).toEqual([0, 0, 0]);
    all("hold-uncorrelated")[0]?.click();
    expect(text("population")).toContain("uncorrelated with it");
  });
});

describe("a category", () => {
  const listed = (el: HTMLElement) =>
    [...el.querySelectorAll(".ts-rows > *")].map((row) => row.querySelector(".ts-feature")?.textContent);
  const head = ({ all }: ReturnType<typeof open>, label: string) =>
    all("category").find((one) => one.getAttribute("aria-label")?.startsWith(label)) as HTMLElement;
  const numbers = ["age", "hours", "sex = Female", "gain"];

  test("is one row, which opens to its levels, the largest first, and to the rare ones", () => {
    const view = open({ levels: true });
    expect(listed(view.el)).toEqual([...numbers, "job", "land"]);
    expect(head(view, "job").getAttribute("aria-expanded")).toBe("false");
    head(view, "job").click();
    expect(head(view, "job").getAttribute("aria-expanded")).toBe("true");
    expect(listed(view.el)).toEqual([...numbers, "job", "Clerk", "Cook", "Nurse", "land"]);
    head(view, "job").click();
    head(view, "land").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect(listed(view.el)).toEqual([...numbers, "job", "land", "US", "other levels"]);
    head(view, "other levels 2 levels of land").click();
    expect(listed(view.el).slice(-3)).toEqual(["other levels", "Peru", "Laos"]);
  });

  test("closed says which of its levels are moved, and how far", () => {
    const view = open({ levels: true });
    head(view, "job").click();
    view.press("job = Cook", "PageUp");
    view.press("job = Nurse", "PageDown");
    const now = () => view.el.querySelector(".ts-is-chosen .ts-category-now")?.textContent;
    head(view, "job").click();
    expect(listed(view.el)).toEqual([...numbers, "job", "land"]);
    expect(now()).toBe("Cook: 30.0 % → 44.0 %, Nurse: 20.0 % → 16.0 %");
    view.receive("stress", { taus: { "job = Cook": 0.2 }, hold: "none" });
    expect(now()).toBe("Cook: 30.0 % → 44.0 %");
    view.receive("stress", { taus: {}, hold: "none" });
    expect(now()).toBeUndefined();
  });

  test("opens to a level that is moved elsewhere, and remembers what was opened", () => {
    const view = open({ levels: true }, { stress: { taus: { "land = Laos": 0.1 }, hold: "none" } });
    expect(listed(view.el).slice(5)).toEqual(["land", "US", "other levels", "Peru", "Laos"]);
    expect(view.slider("land = Laos").value).toBe("0.1");
    view.receive("stress", { taus: { "job = Cook": 0.2 }, hold: "none" });
    expect(listed(view.el).slice(4, 8)).toEqual(["job", "Clerk", "Cook", "Nurse"]);
    expect(listed(view.el).slice(-2)).toEqual(["Peru", "Laos"]);
  });

  test("has one row among the means that went far: the level that went farthest, or those moved", () => {
    const view = open({ levels: true });
    const drawn = () => [...view.el.querySelectorAll(".ts-love-name")].map((one) => one.textContent);
    expect(view.el.querySelector<HTMLElement>(".ts-love-plot")?.hidden).toBe(true);
    view.press("sex = Female", "PageUp");
    nextFrame();
    expect(view.el.querySelector<HTMLElement>(".ts-love-plot")?.hidden).toBe(false);
    expect(drawn().slice(0, 4)).toEqual(numbers);
    expect(view.el.querySelector(".ts-love-scale")?.textContent).toContain("the one that went farthest");
    head(view, "job").click();
    view.press("job = Nurse", "End");
    nextFrame();
    expect(drawn().slice(4, 5)).toEqual(["Nurse"]);
    view.press("job = Cook", "PageDown");
    nextFrame();
    expect(drawn().slice(4, 6)).toEqual(["Cook", "Nurse"]);
  });

  test("levels that follow show where they went, in grey, also those opened later", () => {
    const view = open({ levels: true });
    view.press("age", "End");
    nextFrame();
    head(view, "job").click();
    const row = view.slider("job = Cook").closest(".ts-row") as HTMLElement;
    expect(row.classList.contains("ts-is-following")).toBe(true);
    expect(row.classList.contains("ts-is-chosen")).toBe(false);
    expect(row.querySelector(".ts-number")?.textContent).toBe("30.0 % → ");
  });
});

describe("values typed", () => {
  const box = (view: ReturnType<typeof open>, name: string) =>
    view
      .slider(name)
      .closest(".ts-row")
      ?.querySelector<HTMLInputElement>(".ts-value-box") as HTMLInputElement;
  const type = (input: HTMLInputElement, text: string, key = "Enter") => {
    input.focus();
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  };
  const problem = (input: HTMLInputElement) =>
    document.getElementById(input.getAttribute("aria-describedby") ?? "") as HTMLElement;

  test("a mean, a change and a share move the slider and the numbers", () => {
    const view = open();
    const age = box(view, "age");
    expect(age.getAttribute("aria-label")).toBe("mean of age");
    const before = age.value;
    type(age, "45");
    expect(age.value).toBe("45.0");
    expect(view.text("population")).toContain(`age 45.0 on average (was ${before})`);
    const tau = (view.state.stress as { taus: { age: number } }).taus.age;
    expect(tau).toBeGreaterThan(0);
    expect(view.slider("age").getAttribute("aria-valuetext")).toContain("age 45.0 on average");
    type(age, "-5");
    expect(Number(age.value)).toBeCloseTo(Number(before) - 5, 1);
    type(box(view, "sex = Female"), "60 %");
    expect(box(view, "sex = Female").value).toBe("60.0 %");
    type(age, "");
    expect(age.value).not.toBe("");
    expect(Object.keys((view.state.stress as { taus: object }).taus)).toEqual(["sex = Female"]);
  });

  test("what cannot be read or reached gets a sentence, and nothing moves", () => {
    const view = open();
    const age = box(view, "age");
    const before = age.value;
    for (const [text, words] of [
      ["old", "Write a mean such as"],
      ["400", "Here age goes from"],
    ] as const) {
      type(age, text);
      expect(problem(age).hidden).toBe(false);
      expect(problem(age).textContent).toContain(words);
      expect(age.getAttribute("aria-invalid")).toBe("true");
      expect(age.value).toBe(text);
      expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
    }
    type(age, "50", "Escape");
    expect([age.value, problem(age).hidden]).toEqual([before, true]);
    expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
  });

  test("leaving the box commits; a slider that moves meanwhile does not overwrite what is typed", () => {
    const view = open();
    const age = box(view, "age");
    age.value = "+2";
    age.dispatchEvent(new Event("input", { bubbles: true }));
    view.press("hours", "ArrowRight");
    expect(age.value).toBe("+2");
    age.dispatchEvent(new Event("change", { bubbles: true }));
    expect(Object.keys((view.state.stress as { taus: object }).taus)).toEqual(["hours", "age"]);
  });
});

describe("what cannot be", () => {
  const impossible = { taus: { "sex = Female": 1, age: 1, hours: -1 }, hold: "means" };

  test("is said in words, with no number left from before", () => {
    const { text, el, press } = open();
    press("age", "PageUp", 2);
    expect(text("value")).toMatch(/%/);
    press("age", "End");
    press("hours", "Home");
    press("gain", "End");
    press("sex = Female", "End");
    expect(text("population")).toContain("none. Not shown: these rows cannot be weighted that far");
    expect(text("value")).toBe("none");
    expect(el.querySelector<HTMLElement>('[data-testid="population-trust"]')?.hidden).toBe(true);
    expect(text("trust")).toContain("no such population");
    nextFrame();
    expect(el.querySelector<HTMLElement>(".ts-track-dot")?.hidden).toBe(true);
    const shares = [...el.querySelectorAll(".ts-joint-metrics b")].map((one) => one.textContent);
    expect(shares).toEqual(["none", "none"]);
  });

  test("sliders mark what the others leave them, once at rest", () => {
    const { all, text, slider } = open({}, { stress: impossible });
    vi.advanceTimersByTime(2000);
    const words = all("range")
      .filter((one) => !one.hidden)
      .map((one) => one.textContent ?? "");
    expect(words.length).toBeGreaterThan(0);
    for (const one of words) expect(one).toMatch(/^the others (leave|exclude)/);
    expect(text("population")).toMatch(/For .* the others leave|Not shown/);
    expect(slider("age").getAttribute("aria-description")).toMatch(/the others/);
  });

  test("a feature of another study is named", () => {
    const { text } = open({}, { stress: { taus: { elsewhere: 0.5 }, hold: "none" } });
    expect(text("population")).toContain("there is no feature “elsewhere” here");
  });
});

describe("traits", () => {
  test("a linked stress moves the sliders, and is not sent back", () => {
    const { receive, saves, slider, text } = open();
    receive("stress", { taus: { hours: 0.5 }, hold: "means" });
    expect(slider("hours").value).toBe("0.5");
    expect(text("population")).toContain("hours");
    vi.advanceTimersByTime(100);
    expect(saves).not.toHaveBeenCalled();
  });

  test("a metric is chosen by picker, by row and by trait", () => {
    const { all, el, receive, state } = open();
    const picker = all("metric")[0] as HTMLSelectElement;
    picker.selectedIndex = 1;
    picker.dispatchEvent(new Event("change"));
    expect(state.metric).toBe("error_rate");
    el.querySelector<HTMLButtonElement>(".ts-metric-name")?.click();
    expect(state.metric).toBe("portion_1");
    receive("metric", "error_rate");
    expect(picker.value).toBe("error_rate");
  });

  test("a stress that is none is refused in words", () => {
    const { receive, el } = open();
    receive("stress", { taus: { age: 7 }, hold: "none" });
    expect(el.querySelector(".ts-error")?.textContent).toContain("τ in [-1, 1]");
    receive("stress", { taus: {}, hold: "none" });
    expect(el.querySelector(".ts-error")).toBeNull();
  });

  test.each(["columns", "answers"])("bytes that do not fit the message: %s", (name) => {
    const { el } = open({}, { [name]: new DataView(new ArrayBuffer(8)) });
    expect(el.querySelector(".ts-error")?.textContent).toContain(`"${name}" must hold`);
  });

  test("waits for its first message", () => {
    const { el } = open({}, { message: {} });
    expect(el.textContent).toContain("Waiting");
  });
});

describe("answers from the kernel", () => {
  const asked = { taus: { age: 0.5 }, hold: "none" };
  const answer = {
    stress: asked,
    status: "solved",
    reason: "",
    ess: 321,
    kl: 0.1,
    tv: 0.2,
    pareto_k: null,
    carriers: { n: 13, share: 0.25 },
    achieved: [45, 41, 0.5, null],
    estimates: [
      { value: 0.75, lower: 0.7, upper: 0.8, reason: 0, amount: 0 },
      { value: 0.1, lower: null, upper: null, reason: 0, amount: 0 },
    ],
    histograms: [[0.25, 0.25, 0.25, 0.25], [0.5, 0.5], [], [0.5, 0.25, 0.25]],
  };

  test("the last one is grey until that to the present stress is there", () => {
    const { press, receive, text, el } = open({ shipped: false });
    press("age", "ArrowRight", 50);
    expect(text("population")).toContain("on its way");
    expect(el.querySelector(".ts-figures")?.classList.contains("ts-is-stale")).toBe(true);
    receive("answer", answer);
    expect(text("value")).toBe("75.0 %");
    expect(text("ess")).toContain("321");
    expect(text("pareto-k")).toContain("∞");
    expect(text("population-trust")).toBe(
      "◐ wide: 13 rows carry 25 % of the weight; 321 effective rows of 400",
    );
    expect(el.querySelector(".ts-figures")?.classList.contains("ts-is-stale")).toBe(false);
    press("age", "ArrowRight");
    expect(text("population")).toContain("on its way");
    expect(text("value")).toBe("75.0 %");
    press("age", "Escape");
    expect(text("value")).toBe(text("baseline"));
  });

  test("no value is grey that was moved while an answer was on its way, once its own is there", () => {
    const { press, receive, el } = open({ shipped: false });
    const greyed = () => [...el.querySelectorAll(".ts-is-stale")].map((one) => one.className);
    press("age", "ArrowRight", 50);
    nextFrame();
    press("hours", "ArrowRight", 3);
    nextFrame();
    expect(greyed()).not.toEqual([]);
    receive("answer", { ...answer, stress: { taus: { age: 0.5, hours: 0.03 }, hold: "none" } });
    nextFrame();
    expect(greyed()).toEqual([]);
  });

  test("that no answer comes any more is said, where the kernel weights the rows", () => {
    const ended = () => {
      const told = new Set<() => void>();
      const changes = { connect: (slot: () => void) => told.add(slot), disconnect: () => {} };
      const kernel = { status: "idle", isDisposed: false, statusChanged: changes };
      const end = () => {
        kernel.status = "dead";
        for (const slot of told) slot();
      };
      return { manager: { kernel }, end };
    };
    const { manager, end } = ended();
    const { press, text, all } = open({ shipped: false }, {}, manager);
    press("age", "ArrowRight", 50);
    expect([text("population").includes("on its way"), all("kernel-gone").length]).toEqual([true, 0]);
    end();
    expect(text("population")).toContain("has ended; the numbers below are of the stress before");
    expect(text("kernel-gone")).toContain("run the cell again");
    const other = ended();
    const alone = open({}, {}, other.manager);
    other.end();
    alone.press("age", "ArrowRight", 50);
    expect(alone.all("kernel-gone")).toEqual([]);
    expect(alone.text("population")).toContain("age");
  });

  test("a refusal is said", () => {
    const { receive, text } = open({ shipped: false }, { stress: asked });
    receive("answer", { stress: asked, status: "infeasible", reason: "No weights on these rows do it." });
    expect(text("population")).toContain("No weights on these rows do it.");
    expect(text("value")).toBe("none");
  });

  test("ranges are marked", () => {
    const both = { taus: { age: 0.5, hours: 0.2 }, hold: "none" };
    const { all, receive } = open({ shipped: false }, { stress: both });
    receive("ranges", { stress: both, ranges: { age: [-1, 0.6], hours: null } });
    const words = all("range").map((one) => one.textContent);
    expect(words[0]).toContain("τ −1.00 to 0.60");
    expect(words[1]).toBe("the others exclude each other");
  });
});

describe("the page", () => {
  test("hostile names are text", () => {
    const { el, press, text } = open({ names: [HOSTILE, "hours", "sex = <b>", "__proto__"] });
    press(HOSTILE, "ArrowRight", 5);
    press("__proto__", "ArrowRight", 5);
    vi.advanceTimersByTime(1000);
    expect(el.querySelector("img")).toBeNull();
    expect(el.querySelector("b b")).toBeNull();
    expect(text("population")).toContain(HOSTILE);
    expect(text("population")).toContain("__proto__");
  });

  test("every control keeps its keys, sliders say themselves", () => {
    const { el, press, slider } = open();
    for (const control of el.querySelectorAll("input, select, button, summary")) {
      expect(control.getAttribute("data-lm-suppress-shortcuts")).toBe("true");
    }
    press("age", "ArrowRight", 25);
    expect(slider("age").getAttribute("aria-valuetext")).toMatch(/^τ 0\.25, age .* on average$/);
  });

  test("the live region speaks once at rest", () => {
    const { el, press } = open();
    const live = el.querySelector('[aria-live="polite"]') as HTMLElement;
    press("age", "ArrowRight", 9);
    expect(live.textContent).toBe("");
    vi.advanceTimersByTime(600);
    expect(live.textContent).toMatch(/age .* on average .* share predicted 1 .* %, interval/);
  });

  test("tables behind the pictures follow", () => {
    const { el, press } = open();
    for (const details of el.querySelectorAll("details")) {
      details.open = true;
      details.dispatchEvent(new Event("toggle"));
    }
    press("age", "PageUp", 5);
    nextFrame();
    expect(el.querySelector(".ts-love-plot table")?.textContent).toMatch(/age.*\+0/);
    expect(el.querySelectorAll(".ts-multiple table tbody tr").length).toBeGreaterThan(0);
  });

  test("pictures follow the numbers within a frame, as of the latest key", () => {
    const { el, press, text } = open();
    const drift = () => el.querySelector(".ts-love-row")?.lastElementChild?.textContent;
    press("age", "PageUp");
    nextFrame();
    const [one, early] = [text("value"), drift()];
    press("age", "PageUp", 4);
    expect(text("value")).not.toBe(one);
    expect(drift()).toBe(early);
    vi.advanceTimersToNextFrame();
    vi.advanceTimersToNextFrame();
    const late = drift();
    expect(late).not.toBe(early);
    nextFrame();
    expect(drift()).toBe(late);
  });

  test("leaves nothing behind", () => {
    const { el, life, listening, press } = open();
    press("age", "PageUp", 3);
    expect(listening()).toBeGreaterThan(0);
    life.abort();
    expect(listening()).toBe(0);
    expect(el.children).toHaveLength(0);
    vi.advanceTimersByTime(2000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
