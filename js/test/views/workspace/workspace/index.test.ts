// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { endingKernel } from "../../../support/ending_kernel";
import { jointExample } from "../../../support/joint_example";
import { goldenWay } from "../../../support/towards_example";
import { isOff, press } from "../../../support/view";
import { openWorkspace as open, withPooled, withWay } from "../../../support/workspace_view";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("the workspace", () => {
  test("says what is studied, as text", () => {
    const { el } = open();
    expect(el.querySelector(".ts-title")?.textContent).toContain("Predicted <b>yes</b>");
    expect(el.querySelector(".ts-title b")).toBeNull();
    expect(el.querySelector(".ts-error")).toBeNull();
  });

  test("has one population, its sliders, two curves and the metrics", () => {
    const { all, el } = open();
    expect(all("population")).toHaveLength(1);
    expect(el.querySelectorAll(".ts-cell-curves .ts-main")).toHaveLength(2);
    expect(el.querySelector(".ts-cell-metrics .ts-joint-main")).not.toBeNull();
    const picked = [...el.querySelectorAll<HTMLSelectElement>(".ts-cell-curves [data-testid=metric]")].map(
      (one) => one.value,
    );
    expect(new Set(picked).size).toBe(2);
  });

  test("the sliders open on the feature chosen", () => {
    const { el } = open({ feature: "hours" });
    expect(el.querySelector(".ts-cell-sliders .ts-is-pointed .ts-feature")?.textContent).toBe("hours");
  });

  test("opens with a finding, until something is moved", () => {
    const { only, press, el } = open();
    const finding = only("at-rest").textContent ?? "";
    expect(finding).toMatch(/^Move age: at .* on average, error rate goes from .* to .*\.$/);
    press("age", "ArrowRight");
    expect(only("at-rest").textContent).toBe("");
    expect(el.querySelector(".ts-at-rest")).toBeNull();
  });

  test("where there is none it says what to do", () => {
    const { only } = open({ second_metric: "no such metric" });
    expect(only("at-rest").textContent).toContain("Move a slider");
  });

  test("a slider moves the one stress, and all that is shown under it", () => {
    const { press, state, all } = open();
    const before = all("value").map((one) => one.textContent);
    for (let k = 0; k < 30; k++) press("age", "ArrowRight");
    expect(state.stress).toEqual({ taus: { age: 0.3 }, hold: "none" });
    const after = all("value").map((one) => one.textContent);
    expect(after.filter((words, k) => words !== before[k]).length).toBeGreaterThan(1);
  });

  test("the way to another population moves it too, and follows it back", () => {
    const kept = goldenWay.way;
    const message = { ...kept.traits.message, taus: { age: 0.5, hours: -0.2 } };
    const {
      only,
      state,
      all,
      find,
      press: keys,
    } = open(withWay({ ...kept, traits: { ...kept.traits, message } }));
    const slider = only<HTMLInputElement>("amount");
    expect(slider.value).toBe("0"); // where the workspace is, whatever the view was made at
    press(slider, "End");
    expect(state.stress).toEqual({ taus: { age: 0.5, hours: -0.2 }, hold: "none" });
    expect(all("population")[0]?.textContent).toContain("age");
    press(slider, "PageDown");
    expect(state.stress).toEqual({ taus: { age: 0.4, hours: -0.16000000000000003 }, hold: "none" });
    only("undo").click();
    expect(slider.value).toBe("0"); // quick moves are one
    keys("age", "ArrowLeft");
    expect(find('.ts-inside-towards [data-testid="elsewhere"]').textContent).toContain("not on this way");
  });

  test("undo and redo go from move to move", () => {
    const { press, state, only } = open();
    expect(isOff(only("undo"))).toBe(true);
    press("age", "ArrowRight");
    vi.advanceTimersByTime(2000);
    press("age", "ArrowRight");
    only("undo").click();
    expect(state.stress).toEqual({ taus: { age: 0.01 }, hold: "none" });
    only("undo").click();
    expect(state.stress).toEqual({ taus: {}, hold: "none" });
    expect(isOff(only("undo"))).toBe(true);
    only("redo").click();
    only("redo").click();
    expect(state.stress).toEqual({ taus: { age: 0.02 }, hold: "none" });
    expect(isOff(only("redo"))).toBe(true);
  });
});

describe("curves under a stress of several features", () => {
  test("mark the number of the population shown, with its interval, and say so", () => {
    const { el, press, all, receive } = open();
    vi.advanceTimersByTime(100);
    const marks = () => [...el.querySelectorAll(".ts-beside")].map((mark) => mark.getAttribute("visibility"));
    expect(all("joint-now").map((line) => line.hidden)).toEqual([true, true]);
    expect(marks()).toEqual(["hidden", "hidden"]);
    for (let k = 0; k < 20; k++) press("age", "ArrowRight");
    press("hours", "PageUp");
    vi.advanceTimersByTime(100);
    expect(marks()).toEqual(["inherit", "inherit"]);
    const errors = el.querySelectorAll(".ts-joint-metrics tbody tr")[1];
    const [, second] = all("joint-now");
    const numbers = (words: string | null | undefined) => words?.match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    const [told, wanted] = [
      numbers(second?.textContent),
      numbers(errors?.querySelector("td.ts-number")?.textContent).slice(1),
    ];
    expect(told).toHaveLength(3);
    told.forEach((number, k) => {
      expect(Math.abs(number - (wanted[k] ?? Number.NaN))).toBeLessThan(0.06);
    });
    expect(all("elsewhere")[1]?.textContent).toContain("◆ is the population shown");
    receive("stress", { taus: { age: 0.2 }, hold: "none" });
    vi.advanceTimersByTime(100);
    expect(marks()).toEqual(["hidden", "hidden"]);
    expect(all("joint-now").map((line) => line.hidden)).toEqual([true, true]);
  });
});

describe("one selection", () => {
  const withConfusion = () => {
    const joint = jointExample();
    const confusion = { rows_are: "truth", rows: ["no", "yes"], columns: ["no", "yes"], place: [0, 1, 2, 3] };
    const outcomes = { ...joint.message.outcomes, confusion };
    return open({ joint__message: { ...joint.message, outcomes } });
  };
  const percent = (element: HTMLElement) =>
    Number(element.querySelector("b")?.textContent?.replace(" %", ""));

  test("a cell of the confusion matrix selects its rows, and says what they weigh as tested and now", () => {
    const { only, press, state } = withConfusion();
    vi.advanceTimersByTime(100);
    const cells = [0, 1, 2, 3].map((place) => only(`confusion-${place}`));
    expect(cells.reduce((sum, cell) => sum + percent(cell), 0)).toBeCloseTo(100, 0);
    only("confusion-2").click();
    vi.advanceTimersByTime(100);
    const rows = state.selection as number[];
    const share = only("confusion-2").querySelector("b")?.textContent ?? "";
    expect(Math.abs(rows.length / 4 - Number(share.replace(" %", "")))).toBeLessThan(0.051);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect((only("selected-rows") as HTMLInputElement).value).toBe(rows.join(", "));
    const before = only("selected-words").textContent;
    expect(before).toBe(`Selected ${rows.length} rows, ${share} of the weight:`);
    for (let k = 0; k < 40; k++) press("age", "ArrowRight");
    vi.advanceTimersByTime(100);
    const now = only("confusion-2").querySelector("b")?.textContent ?? "";
    expect(now).not.toBe(share);
    expect(only("selected-words").textContent).toBe(
      `Selected ${rows.length} rows, ${now} of the weight (${share} as tested):`,
    );
    only("clear-selection").click();
    vi.advanceTimersByTime(100);
    expect(state.selection).toEqual([]);
    expect(only("selection").hidden).toBe(true);
  });

  test("rows selected elsewhere are told; without labels there is no matrix", () => {
    const { only, receive, all } = open();
    expect(only("selection").hidden).toBe(true);
    receive("selection", [3]);
    vi.advanceTimersByTime(100);
    expect(only("selected-words").textContent).toContain("Selected 1 row,");
    expect(all("confusion")).toHaveLength(0);
  });
});

describe("one selection of rows that the kernel has", () => {
  const estimate = (value: number) => ({
    ...{ value, lower: value - 0.01, upper: value + 0.01 },
    ...{ reason: 0, amount: 0 },
  });
  const UNDER = { taus: { age: 0.01 }, hold: "none" };
  const answerTo = (stress: unknown) => ({
    ...{ stress, status: "solved", reason: "", ess: 300, kl: 0.01, tv: 0.05, pareto_k: 0.1 },
    carriers: { n: 0, share: 0 },
    achieved: [41, 40, 0.4, 4],
    estimates: [0.5, 0.2].map(estimate),
    confusion: [0.4, 0.15, 0.05, 0.4].map(estimate),
    histograms: [[], [], [], []],
  });
  const elsewhere = () => {
    const joint = jointExample({ shipped: false });
    const in_kernel = { n_rows: [200, 40, 40, 120], unstressed: [0.5, 0.1, 0.1, 0.3].map(estimate) };
    const matrix = { rows_are: "truth", rows: ["no", "yes"], columns: ["no", "yes"], place: [0, 1, 2, 3] };
    const outcomes = { ...joint.message.outcomes, confusion: { ...matrix, in_kernel } };
    const view = open({
      joint__message: { ...joint.message, outcomes },
      joint__columns_message: joint.columns_message,
      joint__columns: joint.columns,
      joint__answers: joint.answers,
    });
    vi.advanceTimersByTime(100);
    const told = (place: number) => view.only(`confusion-${place}`).textContent;
    const isStale = (element: Element | null) => !!element?.closest(".ts-is-stale");
    return { ...view, told, isStale };
  };

  test("the matrix has its shares, greyed until they are of the stress shown", () => {
    const { press, told, receive, only, isStale } = elsewhere();
    expect(told(1)).toBe("10.0 %9.0 – 11.0");
    const table = () => only("confusion").querySelector("table");
    expect(isStale(table())).toBe(false);
    press("age", "ArrowRight");
    vi.advanceTimersByTime(100);
    expect(isStale(table())).toBe(true);
    receive("joint__answer", answerTo(UNDER));
    vi.advanceTimersByTime(100);
    expect(isStale(table())).toBe(false);
    expect(told(1)).toBe("10.0 % → 15.0 %14.0 – 16.0");
    press("age", "ArrowRight");
    vi.advanceTimersByTime(100);
    expect(isStale(table())).toBe(true);
    expect(told(1)).toBe("10.0 % → 15.0 %14.0 – 16.0");
  });

  test("a cell asks the kernel for its rows", () => {
    const { only, sent } = elsewhere();
    only("confusion-2").click();
    expect(sent).toHaveBeenLastCalledWith(
      expect.objectContaining({ type: "tauscope:request", what: "cell", place: 2 }),
    );
  });

  test("the rows selected have the shares that the kernel says, greyed while they are of others", () => {
    const { only, receive, press, isStale } = elsewhere();
    const words = () => only("selected-words");
    const tell = (more: object) => {
      const rest = { stress: { taus: {}, hold: "none" }, n: 2, total: 8, share: 0.005, share_after: null };
      receive("selected", { ...rest, ...more });
      vi.advanceTimersByTime(100);
    };
    receive("selection", [3, 5]);
    vi.advanceTimersByTime(100);
    expect(words().textContent).toBe("Selected 2 rows:");
    expect(isStale(words())).toBe(true);
    tell({});
    expect(words().textContent).toBe("Selected 2 rows, 0.5 % of the weight:");
    expect(isStale(words())).toBe(false);
    press("age", "ArrowRight");
    vi.advanceTimersByTime(100);
    expect(isStale(words())).toBe(true);
    tell({ stress: UNDER, share_after: 0.0125 });
    expect(words().textContent).toBe("Selected 2 rows, 1.3 % of the weight (0.5 % as tested):");
    expect(isStale(words())).toBe(false);
    tell({ stress: UNDER });
    expect(words().textContent).toBe("Selected 2 rows, no weight to be had (0.5 % as tested):");
    receive("selection", [3, 6]);
    vi.advanceTimersByTime(100);
    expect(words().textContent).toBe("Selected 2 rows:");
    expect(isStale(words())).toBe(true);
  });
});

describe("the pooled boundary inside", () => {
  test("weighs its rows on the columns of the sliders, under their stress", () => {
    const { only, press, state, receive } = open(withPooled({ n_errors: 9 }));
    const panel = only("panel-pooled");
    const words = (id: string) => panel.querySelector(`[data-testid="${id}"]`)?.textContent ?? "";
    expect(words("population")).toContain("the data as they are");
    const before = words("reading");
    for (let k = 0; k < 30; k++) press("age", "ArrowRight");
    vi.advanceTimersByTime(200);
    expect(words("population")).toMatch(/^age [\d.]+ on average \(was /);
    expect(words("reading")).toContain("Changed most:");
    expect(words("reading")).not.toBe(before);
    receive("selection", [3, 5]);
    vi.advanceTimersByTime(200);
    expect(words("choice")).toBe("Pooled are 30 of 60 rows, not the 2 rows selected.");
    panel.querySelector<HTMLElement>('[data-testid="pool"]')?.click();
    expect(state.pooled__compute).toBe(1);
  });

  test("sets the row of all views", () => {
    const { only, state } = open(withPooled());
    const details = only("pooled-rows") as HTMLDetailsElement;
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    const line = only("rows-pooled").children[1] as HTMLElement;
    line.querySelector("button")?.click();
    expect(state.row).toBe(Number(line.dataset.row));
  });

  test("waits for rows to be selected, and is computed when asked for", () => {
    const waiting = {
      state: "waiting",
      words: "Select rows.",
      done: 0,
      total: 0,
      unit: "model rows",
      again: true,
    };
    const { only, state } = open({ view: "pooled", opened: { pooled: waiting }, compute: 0 });
    expect([only("opening").textContent, only("compute").textContent]).toEqual(["Select rows.", "Compute"]);
    expect(only("cancel-opening").hidden).toBe(true);
    only("compute").click();
    expect(state.compute).toBe(1);
  });
});

describe("tabs", () => {
  test("one view is shown at a time; the choice is a trait", () => {
    const { only, state } = open();
    only("tab-effect").click();
    expect(state.view).toBe("effect");
    expect(only("panel-effect").hidden).toBe(false);
    expect(only("panel-metrics").hidden).toBe(true);
    expect(only("tab-effect").getAttribute("aria-selected")).toBe("true");
  });

  test("arrow keys choose the next", () => {
    const { only, state } = open();
    only("tab-metrics").focus();
    const key = (name: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    key("ArrowRight");
    expect([state.view, document.activeElement]).toEqual(["effect", only("tab-effect")]);
    key("End");
    expect(state.view).toBe("table");
    key("ArrowRight");
    expect(state.view).toBe("curves");
  });

  test("a view that is not there says why, of each state of the kernel", () => {
    const silent = open({ view: "rules" });
    const words = ({ only }: typeof silent) => only("panel-rules").textContent;
    expect(words(silent)).toContain("The kernel is asked for this view");
    vi.advanceTimersByTime(9000);
    expect(words(silent)).toContain("The kernel does not answer: it is busy or out of reach.");
    expect(silent.all("kernel-gone")).toEqual([]);

    const { manager, end } = endingKernel();
    const lost = open({ view: "rules" }, "", manager);
    end();
    expect(words(lost)).toContain("not opened before the kernel was lost");
    expect(lost.only("kernel-gone").textContent).toMatch(/run the cell again.*sliders, curves, metrics/);
    lost.press("age", "ArrowRight");
    expect(lost.state.stress).toEqual({ taus: { age: 0.01 }, hold: "none" });

    const saved = open({ view: "rules" }, "A saved page.");
    expect(words(saved)).toContain("not saved with the page");
    vi.advanceTimersByTime(9000);
    for (const untrue of ["kernel was lost", "does not answer"]) expect(words(saved)).not.toContain(untrue);
    expect(saved.all("kernel-gone")).toEqual([]);
  });
});

describe("a view that is being opened", () => {
  const NOTHING_YET = {
    state: "working",
    words: "Asking Forest about <b>age</b>",
    done: 0,
    total: 0,
    unit: "model rows",
    again: false,
  };

  test("says how far it is, as text", () => {
    const { only, receive } = open({ view: "effect", opened: { effect: NOTHING_YET } });
    const bar = () => only("panel-effect").querySelector("progress") as HTMLProgressElement;
    expect(only("opening").textContent).toBe("Asking Forest about <b>age</b>…");
    expect(bar().hasAttribute("value")).toBe(false);
    receive("opened", { effect: { ...NOTHING_YET, done: 1500, total: 6000 } });
    expect(only("opening").textContent).toBe("Asking Forest about <b>age</b>: 1,500 of 6,000 model rows…");
    expect(bar().value).toBe(0.25);
    receive("opened", { effect: { ...NOTHING_YET, done: 40 } });
    expect(only("opening").textContent).toBe("Asking Forest about <b>age</b>: 40 model rows…");
    expect(bar().hasAttribute("value")).toBe(false);
    receive("opened", { effect: { ...NOTHING_YET, done: 2, total: 5, unit: "rules" } });
    expect(only("opening").textContent).toBe("Asking Forest about <b>age</b>: 2 of 5 rules…");
  });

  test("can be cancelled, and computed after all", () => {
    const { only, receive, state } = open({
      view: "effect",
      opened: { effect: NOTHING_YET },
      stop: 0,
      compute: 0,
    });
    expect(only("compute").hidden).toBe(true);
    only("cancel-opening").click();
    expect(state.stop).toBe(1);
    receive("opened", { effect: { ...NOTHING_YET, state: "cancelled", words: "Cancelled.", again: true } });
    expect([only("opening").textContent, only("compute").textContent]).toEqual(["Cancelled.", "Compute"]);
    expect([only("cancel-opening").hidden, only("compute").hidden]).toEqual([true, false]);
    only("compute").click();
    expect(state.compute).toBe(1);
  });

  test("shows the error it ended with, and offers to try again", () => {
    const failed = { ...NOTHING_YET, state: "failed", words: "ValueError: <i>no</i>\nrows", again: true };
    const { only, receive } = open({ view: "effect", opened: { effect: failed } });
    expect(only("opening").textContent).toBe("ValueError: <i>no</i>\nrows");
    expect([only("compute").hidden, only("compute").textContent]).toEqual([false, "Try again"]);
    receive("opened", { effect: { ...failed, words: "This needs a model to ask.", again: false } });
    expect(only("compute").hidden).toBe(true);
  });

  test("says after a while that nothing is heard of it", () => {
    const { only, receive } = open({ view: "effect", opened: { effect: NOTHING_YET } });
    vi.advanceTimersByTime(7000);
    receive("opened", { effect: { ...NOTHING_YET, done: 1, total: 2 } });
    vi.advanceTimersByTime(7000);
    expect(only("panel-effect").textContent).not.toContain("No word");
    vi.advanceTimersByTime(2000);
    expect(only("panel-effect").textContent).toContain("No word for some time");
  });
});

test("nothing is left behind", () => {
  const { el, life, listening } = open();
  life.abort();
  expect(el.children).toHaveLength(0);
  expect(listening()).toBe(0);
});

test("a flood of five hundred steps ends as the last of them alone", () => {
  const numbers = ({ el }: ReturnType<typeof open>) =>
    [
      ...el.querySelectorAll<HTMLElement>(
        '[data-testid="value"], [data-testid="interval"], [data-testid="ess"]',
      ),
    ].map((one) => one.textContent);
  const move = ({ slider }: ReturnType<typeof open>, tau: number) => {
    slider("age").value = String(tau);
    slider("age").dispatchEvent(new Event("input", { bubbles: true }));
  };
  const [flooded, once] = [open(), open()];
  for (let step = 1; step <= 500; step++) {
    move(flooded, Math.round(100 * Math.sin(step)) / 100);
    if (step % 50 === 0) vi.advanceTimersByTime(100);
  }
  for (const view of [flooded, once]) {
    move(view, 0.3);
    vi.advanceTimersByTime(2000);
  }
  expect(flooded.state.stress).toEqual({ taus: { age: 0.3 }, hold: "none" });
  expect(flooded.state.stress).toEqual(once.state.stress);
  expect(numbers(once).length).toBeGreaterThan(3);
  expect(numbers(flooded)).toEqual(numbers(once));
}, 30_000);

test("nothing is left behind by workspaces opened and closed again and again", () => {
  const heard = new Set<string>();
  const spies = [document, window].flatMap((target) => {
    const added = vi.spyOn(target, "addEventListener").mockImplementation((type) => void heard.add(type));
    return [added];
  });
  let watching = 0;
  class Observer {
    private on = false;
    observe() {
      if (!this.on) watching += 1;
      this.on = true;
    }
    disconnect() {
      if (this.on) watching -= 1;
      this.on = false;
    }
  }
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal("MutationObserver", Observer);
  for (let cycle = 0; cycle < 5; cycle++) {
    const { el, life, listening } = open();
    expect(watching).toBeGreaterThan(0);
    expect(listening()).toBeGreaterThan(0);
    life.abort();
    expect([el.children.length, listening(), watching, [...heard]]).toEqual([0, 0, 0, []]);
    el.remove();
  }
  for (const spy of spies) spy.mockRestore();
  vi.unstubAllGlobals();
}, 30_000);
