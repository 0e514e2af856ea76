// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/effects/effect/index";
import { effectTraits } from "../../../support/effect_example";
import { endingKernel } from "../../../support/ending_kernel";
import { layoutOf } from "../../../support/layout";
import { leavesNothing, mountView, painted, press } from "../../../support/view";

afterEach(() => {
  vi.useRealTimers();
});

function mount(state: Record<string, unknown> = effectTraits("age"), widget_manager?: unknown) {
  const view = mountView(widget, state, widget_manager);
  return {
    ...view,
    press: (testid: string, key: string, more: KeyboardEventInit = {}) => press(view.at(testid), key, more),
    tick: (testid: string, checked: boolean) => {
      view.at<HTMLInputElement>(testid).checked = checked;
      view.at(testid).dispatchEvent(new Event("change", { bubbles: true }));
    },
  };
}

const STRESS = { taus: { age: 0.5 }, hold: "none" };
const live = (which: "age" | "level" = "age") => effectTraits(which, { live: true });

describe("at rest", () => {
  test("shows the effect with its breakdown, and no stress", async () => {
    const view = mount();
    expect(view.text("population")).toBe("the data as they are: 60 rows");
    expect(view.text("breakdown")).toMatch(/^The direction between .* survives any reweighting/);
    expect(view.text("epsilon-value")).toBe("10 %");
    expect(view.at("moved").hidden).toBe(true);
    expect(view.at("progress").hidden).toBe(true);
    expect(view.at("chart").getAttribute("aria-label")).toContain(
      "Partial dependence of probability of b on age",
    );
    expect(view.el.querySelectorAll(".ts-legend li:not([hidden])")).toHaveLength(4);
    expect(view.el.querySelector(".ts-ice")?.getAttribute("d")?.match(/M/g)).toHaveLength(60);
    await painted();
    expect(view.root.dataset.ready).toBe("1");
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("every control is out of the host's shortcuts", () => {
    const view = mount(live());
    const controls = view.el.querySelectorAll<HTMLElement>("input, select, button, summary, [tabindex]");
    expect(controls.length).toBeGreaterThan(8);
    for (const control of controls) expect(control.dataset.lmSuppressShortcuts).toBe("true");
  });

  test("levels are rows, their names never markup", () => {
    const view = mount(effectTraits("level"));
    const texts = [...view.el.querySelectorAll("svg text")].map((text) => text.textContent);
    expect(texts).toEqual(expect.arrayContaining(["high", "low", "middle"]));
    expect(view.el.querySelector("option b, h2 b, p b b")).toBeNull();
    expect(view.at<HTMLSelectElement>("feature").value).toBe("<b>level</b>");
  });
});

describe("reading it off", () => {
  test("levels stand from the largest effect to the smallest", () => {
    const view = mount(effectTraits("level"));
    const value = () => Number(/: (\d+\.\d+) %/.exec(view.text("reading"))?.[1]);
    const values = ["Home", "ArrowDown", "ArrowDown"].map((key) => {
      view.press("chart", key);
      return value();
    });
    expect(values.every(Number.isFinite)).toBe(true);
    expect(values).toEqual([...values].sort((a, b) => b - a));
  });

  test("arrow keys go from point to point", async () => {
    const view = mount();
    expect(view.press("chart", "ArrowRight").defaultPrevented).toBe(true);
    const first = view.text("reading");
    expect(first).toMatch(/^age 20: \d+\.\d+ % \(.* – .*\); certified [^;]* – [^;]*$/);
    view.press("chart", "End");
    expect(view.text("reading")).toMatch(/^age missing/);
    view.press("chart", "Home");
    expect(view.text("reading")).toBe(first);
    expect(view.text("tooltip")).toBe(first);
    view.press("chart", "Escape");
    expect(view.text("reading")).toMatch(/^Point at the picture/);
    expect(view.press("chart", "ArrowRight", { ctrlKey: true }).defaultPrevented).toBe(false);
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("the table has every number", () => {
    const view = mount({ ...effectTraits("age"), stress: STRESS });
    const details = view.el.querySelector(".ts-chart details") as HTMLDetailsElement;
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    expect([...details.querySelectorAll("thead th")].map((th) => th.textContent)).toEqual([
      ...["age", "effect", "lower", "upper", "under the stress", "its lower", "its upper"],
      ...["certified lower", "certified upper", "paper's lower", "paper's upper"],
    ]);
    expect(details.querySelectorAll("tbody tr")).toHaveLength(8);
  });
});

describe("the distance", () => {
  test("has the paper's bound beside it on request alone", async () => {
    const view = mount();
    const drawn = () => view.el.querySelector(".ts-paper")?.getAttribute("d");
    expect(drawn()).toBe("");
    view.tick("paper", true);
    expect(drawn()).not.toBe("");
    view.press("chart", "Home");
    expect(view.text("reading")).toContain("; the paper's ");
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("a key on the slider widens the band", async () => {
    const view = mount();
    const before = view.el.querySelector(".ts-band")?.getAttribute("d");
    view.press("epsilon", "ArrowRight");
    expect(view.text("epsilon-value")).toBe("11 %");
    expect(view.el.querySelector(".ts-band")?.getAttribute("d")).not.toBe(before);
    expect(view.state.epsilon).toBe(0.11);
    await painted();
    expect(view.saves).toHaveBeenCalledTimes(1);
    view.press("epsilon", "Home");
    expect(view.text("epsilon-value")).toBe("0 %");
  });

  test("is the stress's own while there is one, until it is moved", () => {
    const view = mount({ ...effectTraits("age"), stress: STRESS });
    expect(view.text("epsilon-value")).toMatch(/ %, the stress's$/);
    expect(view.at<HTMLInputElement>("follow").checked).toBe(true);
    view.press("epsilon", "ArrowLeft");
    expect(view.text("epsilon-value")).not.toContain("the stress's");
    expect(view.state.follow).toBe(false);
    view.tick("follow", true);
    expect(view.state.follow).toBe(true);
    expect(view.text("epsilon-value")).toContain("the stress's");
  });
});

describe("the stress", () => {
  test("from another view moves curve, band and words, and is not answered", async () => {
    const view = mount();
    expect(view.el.querySelector(".ts-legend")?.textContent).not.toContain("taken as known");
    view.receive("stress", STRESS);
    expect(view.text("population")).toMatch(/^age \d+\.\d on average \(was 39\.\d\)$/);
    expect(view.text("moved")).toMatch(
      /^Under this stress the effect moves by .* points at most; a reweighting this far/,
    );
    expect(view.text("tv")).toMatch(/^0\.\d{3}$/);
    expect(view.el.querySelector(".ts-chosen")?.getAttribute("d")).not.toBe("");
    view.press("chart", "Home");
    expect(view.text("reading")).toContain("under the stress");
    expect(view.el.querySelector(".ts-legend")?.textContent).toContain(
      "(Student t on the logit scale), the weights taken as known",
    );
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("on too few rows is faded, and why is said", () => {
    const view = mount();
    view.receive("stress", { taus: { age: 1 }, hold: "none" });
    expect(view.text("doubt")).toMatch(/^(Wide|Unreliable): .*(effective rows|large weights|handful)/);
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-unreliable")).toBe(true);
    view.receive("stress", { taus: { age: 0.1 }, hold: "none" });
    expect(view.at("doubt").hidden).toBe(true);
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-unreliable")).toBe(false);
  });

  test("is put back by Reset", () => {
    const view = mount({ ...effectTraits("age"), stress: STRESS });
    view.at("reset").click();
    expect(view.state.stress).toEqual({ taus: {}, hold: "none" });
    expect(view.text("population")).toContain("the data as they are");
  });

  test("of an unknown feature is said, never shown as a number", () => {
    const view = mount({ ...effectTraits("age"), stress: STRESS });
    view.receive("stress", { taus: { shoe: 0.5 }, hold: "none" });
    expect(view.text("population")).toContain("The stress cannot be shown: there is no feature “shoe” here");
    expect(view.text("moved")).toContain("there is no feature “shoe” here");
    expect(view.el.querySelector(".ts-chosen")?.getAttribute("d")).toBe("");
    expect(view.text("epsilon-value")).toBe("10 %");
  });

  test("that the effect has already is not mixed with another", () => {
    const view = mount({
      ...effectTraits("age", { unstressable: "This effect is under a stress of its own." }),
      stress: STRESS,
    });
    expect(view.text("population")).toContain("under a stress of its own");
  });
});

describe("without a kernel", () => {
  test("only what was shipped is offered", () => {
    const view = mount();
    const kinds = [...view.at<HTMLSelectElement>("kind").options].map(({ value, disabled }) => [
      value,
      disabled,
    ]);
    expect(kinds).toEqual([
      ["pd", false],
      ["cd", false],
      ["ale", false],
      ["dale", true],
    ]);
    expect(view.at<HTMLSelectElement>("feature").options).toHaveLength(1);
    expect(view.at("second-feature").hidden).toBe(true);
    expect((view.el.querySelector(".ts-attack") as HTMLElement).hidden).toBe(true);
  });

  test("kinds, classes and overlays change in the page", async () => {
    const view = mount({ ...effectTraits("age"), stress: STRESS });
    view.tick("compare-cd", true);
    expect(view.el.querySelectorAll(".ts-overlay")).toHaveLength(1);
    expect(view.state.compared).toEqual(["cd"]);
    view.enter("kind", "ale");
    expect(view.text("epsilon-value")).toContain("each bin's");
    view.tick("paper", true);
    expect(view.el.querySelector(".ts-legend")?.textContent).toContain("2L(x − x₀)·TV");
    expect(view.el.querySelector(".ts-legend")?.textContent).toContain(
      "conditional dependence, on the same mean",
    );
    const before = view.at("chart").getAttribute("aria-label");
    view.enter("class", "c");
    expect(view.state.target_class).toBe("c");
    expect(view.at("chart").getAttribute("aria-label")).not.toBe(before);
  });
});

describe("with a kernel", () => {
  test("another feature is asked for, the last answer greyed until it is there", async () => {
    const view = mount(live());
    view.enter("feature", "<b>level</b>");
    expect(view.state.features).toEqual(["<b>level</b>"]);
    expect(view.text("progress")).toContain("grey is the partial dependence on age");
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(true);
    view.receive("progress", { task: "effect", doing: "Asking Model about level", done: 30, total: 60 });
    expect(view.text("progress")).toContain("30 of 60");
    const other = effectTraits("level");
    const message = other.message as { parts: unknown[] };
    view.receive("more_floats", other.floats);
    view.receive("more_integers", other.integers);
    view.receive("more", { parts: message.parts });
    view.receive("progress", {});
    await painted();
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(false);
    expect(view.at("chart").getAttribute("aria-label")).toContain("on <b>level</b>");
    expect(view.at("progress").hidden).toBe(true);
  });

  test("Cancel stops the kernel and goes back to what is there", () => {
    const view = mount(live());
    view.enter("feature", "slope");
    view.at("cancel").click();
    expect(view.state.stop).toBe(1);
    expect(view.state.features).toEqual(["age"]);
  });

  test("an effect that there is not is said", () => {
    const view = mount(live());
    view.enter("second-feature", "slope");
    view.receive("progress", { error: "An accumulated effect of two features takes numbers." });
    expect(view.text("progress")).toContain("takes numbers");
    view.at("cancel").click();
    expect(view.state.features).toEqual(["age"]);
  });

  test("silence is said after a while", () => {
    vi.useFakeTimers();
    const view = mount(live());
    view.enter("feature", "slope");
    vi.advanceTimersByTime(9000);
    expect(view.text("progress")).toContain("No answer yet");
  });

  test("a kernel that ends is said, and what it was asked for is not waited for", async () => {
    const { manager, slots, end } = endingKernel();
    const view = mount(live(), manager);
    view.enter("feature", "slope");
    expect(view.text("progress")).toContain("The kernel is asked for");
    end();
    await painted();
    expect(view.text("kernel-gone")).toContain("run the cell again");
    expect(view.at("progress").hidden).toBe(true);
    expect(view.at<HTMLSelectElement>("feature").value).toBe("age");
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(false);
    view.end?.();
    expect(slots.size).toBe(0);
  });

  test("an attack is asked for, shown with each bound's verdict, and stopped", () => {
    const view = mount(live());
    view.at("attack").click();
    expect(view.state.attack).toMatchObject({ method: "greedy", aim: "high" });
    view.receive("progress", { task: "attack", doing: "Attacking the effect of age", done: 1, total: 4 });
    expect(view.text("attack")).toBe("Stop");
    view.at("attack").click();
    expect(view.state.stop).toBe(1);
    view.receive("progress", {});
    view.receive("attacked", {
      feature: "age",
      kind: "pd",
      target_class: "b",
      sentence: "at 40 the curve went from 20 % to 30 %",
      change: 0.1,
      points: [20, 40, null],
      labels: ["20", "40", "missing"],
      before: [0.2, 0.2, 0.3],
      after: [0.25, 0.3, null],
      place: 1,
      verdicts: [
        { bound: "the paper's", status: "estimated", lower: -0.05, upper: 0.05, holds: false },
        { bound: "coupling", status: "certified", lower: -0.08, upper: 0.12, holds: true },
        { bound: "unknown one", status: "estimated", lower: null, upper: null, holds: false },
      ],
    });
    expect(view.text("attacked")).toContain("At 40 the curve went from 20 % to 30 %.");
    expect(view.text("attacked")).toContain("passed by the attack");
    expect(view.text("attacked")).toContain("holds");
    expect(view.text("attacked")).toContain("coupling (certified for this change)−8.0 points to 12.0 points");
    view.enter("class", "a");
    expect(view.text("attacked")).toBe("");
  });
});

describe("more rows than a page takes", () => {
  /** The golden state as if the columns had not been shipped. */
  function unshipped() {
    const state = live();
    const message = { ...(state.columns_message as object), shipped: false };
    return { ...state, columns_message: message, columns: new Uint8Array(0), row_weights: new Uint8Array(0) };
  }
  const weights = new Float32Array(60).fill(1).map((_, i) => (i < 30 ? 0.5 : 1.5));
  const answer = (stress: unknown) => ({
    stress,
    epsilon: 0.1,
    target_class: "b",
    features: ["age"],
    kinds: ["pd"],
    error: "",
    words: "age 45.0 on average (was 39.8)",
    ess: 48,
    kl: 0.13,
    tv: 0.25,
    pareto_k: 0.1,
    df: 40,
    weights: true,
    moves: [],
    layout: layoutOf(["weights"], "row", [60]),
  });

  test("the kernel weights them; until then the last answer is grey", async () => {
    const view = mount(unshipped());
    view.receive("stress", STRESS);
    expect(view.text("population")).toContain("on its way…");
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(true);
    view.receive("answer_floats", weights);
    view.receive("answer", answer(STRESS));
    await painted();
    expect(view.text("population")).toBe("age 45.0 on average (was 39.8)");
    expect(view.text("tv")).toBe("0.250");
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(false);
    view.receive("stress", { taus: { age: 0.75 }, hold: "none" });
    expect(view.text("population")).toContain("the kernel weights the rows anew…");
    expect(view.el.querySelector(".ts-chart")?.classList.contains("ts-is-stale")).toBe(true);
  });

  test("why there is no answer is said", async () => {
    const view = mount(unshipped());
    view.receive("stress", STRESS);
    view.receive("answer", { ...answer(STRESS), error: "Out of reach.", weights: false });
    await painted();
    expect(view.text("population")).toContain("The stress cannot be shown: Out of reach.");
  });

  test("an effect that cannot be weighted at all says so, and is not waited for", async () => {
    const state = unshipped();
    const whole = effectTraits("age", { live: true }).message as { parts: Record<string, unknown>[] };
    // what Python ships of curves that were not kept: the known numbers alone
    const part = { ...whole.parts[0], rows: "none" };
    const view = mount({ ...state, message: { ...whole, parts: [part] } });
    const chart = view.el.querySelector(".ts-chart");
    expect(chart?.classList.contains("ts-is-stale")).toBe(true);
    const refused = { ...answer({ taus: {}, hold: "none" }), weights: false, error: "curves were not kept" };
    view.receive("answer", refused);
    await painted();
    expect(chart?.classList.contains("ts-is-stale")).toBe(false);
    expect(view.text("moved")).toBe("There is no band to show: curves were not kept.");
    view.receive("stress", STRESS);
    view.receive("answer", { ...refused, stress: STRESS });
    await painted();
    expect(chart?.classList.contains("ts-is-stale")).toBe(false);
    expect(view.text("population")).toContain("The stress cannot be shown: curves were not kept");
  });

  test("without a kernel they are not shown under a stress", () => {
    const state = unshipped();
    const { message } = effectTraits("age");
    const view = mount({ ...state, message, stress: STRESS });
    expect(view.text("population")).toContain("too many rows for a page without a kernel");
  });
});

describe("what cannot be read", () => {
  test("nothing yet is waited for", async () => {
    const { message, ...rest } = effectTraits("age");
    const view = mount({ ...rest, message: {} });
    expect(view.root.textContent).toContain("Waiting for the effect");
    view.receive("message", message);
    await painted();
    expect(view.text("breakdown")).toContain("The direction");
  });

  test.each([
    ["version", { version: 9 }, "reads version 1"],
    ["classes", { classes: [] }, "at least one entry"],
    ["parts", { parts: [] }, "at least one effect"],
  ])("%s", (_, message, words) => {
    const view = mount(effectTraits("age", message));
    expect(view.el.querySelector("[role=alert]")?.textContent).toContain(words);
  });

  test("a buffer of another length", () => {
    const view = mount({ ...effectTraits("age"), floats: new Uint8Array(8) });
    expect(view.el.querySelector("[role=alert]")?.textContent).toMatch(
      /"parts\[0\]\.floats" must hold \d+ numbers/,
    );
  });
});

leavesNothing(() => mount(live()));
