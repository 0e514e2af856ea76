// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/thresholds/index";
import { differenceOf, readThreshold } from "../../../../src/views/stress/thresholds/state";
import { type ThresholdsMessage, thresholdsMessage } from "../../../../src/wire/messages";
import { decodeDecisions } from "../../../../src/wire/stress/thresholds";
import { bytes, readGolden } from "../../../support/golden";
import { isOff, mountView, painted, press, refuses } from "../../../support/view";

interface Kept {
  readonly traits: {
    readonly thresholds: readonly number[];
    readonly metric: string;
    readonly stress: { taus: Record<string, number>; hold: string };
    readonly message: ThresholdsMessage;
    readonly decisions: { readonly thresholds: readonly number[] } & Record<string, unknown>;
  };
  readonly buffers: { readonly numbers: string };
}
type Row = Readonly<Record<string, number | string | null>>;
interface Golden {
  readonly tested: Kept;
  readonly groups: Kept;
  readonly stressed: Kept;
  readonly refused: Record<string, unknown>;
  readonly expected: {
    readonly tested: readonly (readonly Row[])[];
    readonly groups: readonly (readonly Row[])[];
    readonly gaps: readonly Row[];
    readonly best: readonly Row[];
  };
}

const golden = readGolden<Golden>("stress_thresholds.json");
const UNSTRESSED = { taus: {}, hold: "none" };
const LIVE = { ...golden.tested.traits.message, offline: "" };

const traitsOf = ({ traits, buffers }: Kept) => ({ ...traits, numbers: bytes(buffers.numbers) });

function mount(kept: Kept, traits: Record<string, unknown> = {}) {
  const view = mountView(widget, { ...traitsOf(kept), ...traits });
  const sliders = () => view.all("threshold").filter((one) => !one.closest("[hidden]")) as HTMLInputElement[];
  return { ...view, sliders, typed: () => view.all("typed").filter((one) => !one.closest("[hidden]")) };
}

function decoded({ traits, buffers }: Kept) {
  const message = thresholdsMessage(traits.message, "message");
  return { message, decisions: decodeDecisions(traits.decisions, bytes(buffers.numbers), message) };
}

const dashed = (value: number) => value.toFixed(1).replace("-", "−");
const percent = (value: unknown) => dashed(100 * (value as number));

test.each(["tested", "groups"] as const)("numbers at a threshold are those of Python: %s", (which) => {
  const { message, decisions } = decoded(golden[which]);
  for (const rows of golden.expected[which]) {
    for (const row of rows) {
      const group = Math.max(0, message.groups.indexOf((row.group ?? "") as string));
      const at = decisions.thresholds.indexOf(row.threshold as number);
      const metric = message.metrics.findIndex(({ name }) => name === row.metric);
      const cell = decisions.cell(group, at, metric);
      for (const name of ["before", "value", "lower", "upper"] as const) {
        if (row[name] === null) expect(cell[name]).toBeNaN();
        else expect(cell[name]).toBeCloseTo(row[name] as number, 6);
      }
      expect(["reliable", "wide", "unreliable"][cell.level]).toBe(row.reliability);
      expect(cell.why).toBe(row.note);
    }
  }
});

test("gaps are those of Python at one threshold, and have no interval at thresholds of their own", () => {
  const { message, decisions } = decoded(golden.groups);
  expect(golden.expected.gaps.length).toBeGreaterThan(2);
  const state = { now: decisions, late: false, problem: "", stressed: false, metric: 0, group: 0 };
  for (const row of golden.expected.gaps) {
    const metric = message.metrics.findIndex(({ name }) => name === row.metric);
    const gap = differenceOf({ ...state, chosen: [row.threshold as number] }, metric);
    expect(message.groups[gap?.largest ?? -1]).toBe(row.largest);
    expect(gap?.value).toBeCloseTo(row.gap as number, 6);
    expect(gap?.lower).toBeCloseTo(row.gap_lower as number, 6);
    expect(gap?.upper).toBeCloseTo(row.gap_upper as number, 6);
  }
  const [a, b] = [decisions.thresholds[5] as number, decisions.thresholds[30] as number];
  const apart = differenceOf({ ...state, chosen: [a, b] }, 1);
  const [first, second] = [decisions.cell(0, 5, 1).value, decisions.cell(1, 30, 1).value];
  expect(apart?.value).toBeCloseTo(Math.abs(first - second), 6);
  expect(apart?.lower).toBeNaN();
});

describe("what cannot be read is refused", () => {
  const { message, decisions } = golden.groups.traits;
  refuses(
    (wrong) => mount(golden.groups, wrong),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [{ message: { ...message, groups: [] } }, "group"],
      [{ thresholds: [0.1, 0.2, 0.3] }, "thresholds"],
      [{ decisions: { ...decisions, groups: [] } }, "2 groups"],
      [{ decisions: { ...decisions, thresholds: [0.5, 0.4] } }, "ascending"],
      [{ numbers: bytes(golden.groups.buffers.numbers).slice(4) }, "numbers"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount(golden.tested, { message: {} });
    expect(shown.el.textContent).toContain("Waiting for the thresholds");
    shown.receive("message", golden.tested.traits.message);
    await painted();
    expect(shown.sliders()).toHaveLength(1);
  });
});

describe("one threshold for all rows", () => {
  test("opens at the threshold now, with every metric and where the cost is least", () => {
    const shown = mount(golden.tested);
    expect(shown.sliders()[0]?.getAttribute("aria-valuetext")).toBe("0.500");
    const { decisions } = decoded(golden.tested);
    const cell = decisions.cell(0, decisions.thresholds.indexOf(0.5), 0);
    expect(shown.text("error_rate")).toContain(`${percent(cell.value)} %`);
    expect(shown.text("error_rate")).toContain(`${percent(cell.lower)} – ${percent(cell.upper)}`);
    const [best] = decisions.groups;
    expect(shown.text("best")).toContain(`Least cost at ${best?.best?.threshold.toFixed(3)}`);
    expect(shown.text("best")).toContain("cannot be told from it, 95 %");
    expect(shown.text("population")).toBe("the data as they are");
    expect(shown.text("notes")).toContain("Cost: false positive 1, false negative 5.");
    expect(shown.find(".ts-estimates").classList.contains("ts-unmoved")).toBe(true);
    expect(shown.find(".ts-each").hidden).toBe(true);
  });

  test("keys go from one threshold to the next, by fives, to the ends, and back to the one now", async () => {
    const shown = mount(golden.tested);
    const slider = shown.sliders()[0] as HTMLInputElement;
    const { thresholds } = golden.tested.traits.decisions;
    const now = thresholds.indexOf(0.5);
    expect(press(slider, "ArrowRight").defaultPrevented).toBe(true);
    expect(shown.state.thresholds).toEqual([thresholds[now + 1]]);
    press(slider, "PageDown");
    expect(shown.state.thresholds).toEqual([thresholds[now - 4]]);
    press(slider, "End");
    expect(shown.state.thresholds).toEqual([thresholds.at(-1)]);
    press(slider, "Home");
    expect(shown.state.thresholds).toEqual([thresholds[0]]);
    press(slider, "Escape");
    expect(shown.state.thresholds).toEqual([0.5]);
    await painted();
    expect(shown.saves).toHaveBeenCalledTimes(1);
    expect(press(slider, "x").defaultPrevented).toBe(false);
    expect(press(slider, "ArrowLeft", { ctrlKey: true }).defaultPrevented).toBe(false);
    slider.value = String((thresholds[3] as number) + 1e-9);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    expect(shown.state.thresholds).toEqual([thresholds[3]]);
  });

  test("the button goes to the threshold of least cost, where the headline says what it costs", () => {
    const shown = mount(golden.tested);
    shown.at("to-best").click();
    const { threshold, cost } = decoded(golden.tested).decisions.groups[0]?.best ?? { threshold: 0, cost: 0 };
    expect(shown.state.thresholds).toEqual([threshold]);
    expect(shown.text("headline")).toContain(`cost per row ${cost.toFixed(2)}`);
    expect(isOff(shown.at("to-best"))).toBe(true);
    expect(shown.find(".ts-best-mark").style.left).toBe(
      `${100 * Number(shown.sliders()[0]?.style.getPropertyValue("--ts-to"))}%`,
    );
  });

  test.each([0, 1])("a best threshold that no row reaches is said to be one: %i below the end", (below) => {
    const { decisions } = golden.tested.traits;
    const [group] = decisions.groups as readonly Record<string, unknown>[];
    const threshold = decisions.thresholds.at(-1 - below);
    const best = { threshold, lower: 0.1, upper: threshold, cost: 0.2 };
    const shown = mount(golden.tested, { decisions: { ...decisions, groups: [{ ...group, best }] } });
    const above = `, ${golden.tested.traits.message.none_reaches} (`;
    expect(shown.text("best").includes(`Least cost at ${threshold?.toFixed(3)}${above}`)).toBe(below === 0);
    shown.at("to-best").click();
    expect(shown.state.thresholds).toEqual([threshold]);
  });

  test("a number typed is the nearest that was compared, and what is none is refused", () => {
    const shown = mount(golden.tested);
    const { thresholds } = golden.tested.traits.decisions;
    const box = shown.typed()[0] as HTMLInputElement;
    const type = (text: string) => {
      box.value = text;
      box.dispatchEvent(new Event("input"));
      press(box, "Enter");
    };
    type("0,5");
    expect(shown.state.thresholds).toEqual([0.5]);
    const third = thresholds[2] as number;
    type(String(third + 1e-4));
    expect(shown.state.thresholds).toEqual([third]);
    expect(shown.el.querySelector(".ts-problem")?.textContent).toBe(
      `${third.toFixed(3)} is the nearest that was compared.`,
    );
    type("half");
    expect(box.getAttribute("aria-invalid")).toBe("true");
    expect(shown.state.thresholds).toEqual([third]);
    expect(readThreshold("−2e1", [-20, 3])).toEqual({ at: 0, off: false });
    expect(readThreshold("35 %", [0.3, 0.35])).toEqual({ at: 1, off: false });
  });

  test("another metric is drawn, and a trait set elsewhere is followed", async () => {
    const shown = mount(golden.tested);
    shown.enter("metric", "error_rate");
    expect(shown.state.metric).toBe("error_rate");
    expect(shown.find(".ts-front").getAttribute("aria-label")).toContain("Error rate over thresholds");
    expect(shown.text("legend")).not.toContain("Diamond");
    shown.receive("thresholds", [0.1]);
    await painted();
    const nearest = shown.sliders()[0]?.value;
    expect(Math.abs(Number(nearest) - 0.1)).toBeLessThan(0.02);
  });
});

describe("groups", () => {
  test("one slider for all, each group's numbers, the gap with its interval, and their own rows", () => {
    const shown = mount(golden.groups);
    expect(shown.sliders()).toHaveLength(1);
    const { decisions } = decoded(golden.groups);
    const at = decisions.thresholds.indexOf(0.5);
    for (const [group, name] of ["high", "low"].entries()) {
      expect(shown.text(`recall-${name}`)).toContain(percent(decisions.cell(group, at, 1).value));
    }
    const gap = decisions.gap(at, 1);
    expect(shown.all("gap")[1]?.textContent).toContain(`+${percent(gap?.value)} points`);
    expect(shown.all("gap")[1]?.textContent).toContain(`to +${percent(gap?.upper)}`);
    expect(shown.text("group-rows")).toBe("Effective rows: high 159 of 200, low 79 of 100.");
    expect(shown.text("best")).not.toContain("told from it");
    expect(shown.el.querySelector("b b")).toBeNull();
  });

  test("the best for all together costs no more than any other threshold", () => {
    const shown = mount(golden.groups);
    const { decisions, message } = decoded(golden.groups);
    const cost = message.metrics.findIndex(({ name }) => name === "cost");
    shown.at("to-best").click();
    const at = decisions.thresholds.indexOf((shown.state.thresholds as number[])[0] as number);
    const together = (t: number) =>
      decisions.groups.reduce((sum, { share }, g) => sum + share * decisions.cell(g, t, cost).value, 0);
    for (const t of decisions.thresholds.keys()) expect(together(at)).toBeLessThanOrEqual(together(t));
  });

  test("a best threshold that no row of a group reaches is said of that group alone", () => {
    const { message, decisions, thresholds } = golden.groups.traits;
    const best = { threshold: decisions.thresholds[9], lower: 0.1, upper: 0.2, cost: 0.2 };
    const [high, low] = decisions.groups as readonly Record<string, unknown>[];
    const groups = [
      { ...high, best },
      { ...low, best, n_reached: 9 },
    ];
    const each = { thresholds: [0.5, 0.5], decisions: { ...decisions, groups } };
    const told = (traits: Record<string, unknown>) =>
      mount(golden.groups, traits)
        .all("best")
        .filter((one) => !one.closest("[hidden]"))
        .map((one) => one.textContent?.includes(message.none_reaches));
    expect(told(each)).toEqual([false, true]);
    expect(told({ ...each, thresholds })).toEqual([false]);
    const none = groups.map((group) => ({ ...group, n_reached: 0 }));
    expect(told({ thresholds, decisions: { ...decisions, groups: none } })).toEqual([true]);
  });

  test("a threshold each, moved by its own slider and to its own best; gaps then have no interval", () => {
    const shown = mount(golden.groups);
    const each = shown.at<HTMLInputElement>("each");
    each.checked = true;
    each.dispatchEvent(new Event("change", { bubbles: true }));
    expect(shown.state.thresholds).toEqual([0.5, 0.5]);
    const [, low] = shown.sliders();
    expect(low?.getAttribute("aria-label")).toBe("Threshold for low");
    press(low as HTMLInputElement, "ArrowLeft");
    const { thresholds } = golden.groups.traits.decisions;
    expect(shown.state.thresholds).toEqual([0.5, thresholds[thresholds.indexOf(0.5) - 1]]);
    expect(shown.all("gap")[0]?.textContent).toContain("no interval");
    const buttons = shown.all("to-best").filter((one) => !one.closest("[hidden]"));
    for (const button of buttons) button.click();
    const best = golden.expected.best.filter(({ population }) => population !== "the rows as they are");
    expect(shown.state.thresholds).toEqual(best.map(({ threshold }) => threshold));
    expect(shown.find(".ts-name.ts-is-chosen").textContent).toContain("low");
    each.checked = false;
    each.dispatchEvent(new Event("change", { bubbles: true }));
    expect(shown.state.thresholds).toEqual([best[1]?.threshold]);
  });
});

describe("a stress set elsewhere", () => {
  test("is waited for where a kernel counts it, and shown when it comes", async () => {
    const shown = mount(golden.tested, { message: LIVE, stress: golden.stressed.traits.stress });
    expect(shown.text("population")).toBe("the data as they are (before; the kernel counts decisions anew…)");
    expect(shown.find(".ts-estimates").classList.contains("ts-is-stale")).toBe(true);
    shown.receive("numbers", bytes(golden.stressed.buffers.numbers));
    shown.receive("decisions", golden.stressed.traits.decisions);
    await painted();
    expect(shown.text("population")).toBe("slope 1.30 on average (was 0.75)");
    expect(shown.text("population-trust")).toContain("201 effective rows");
    expect(shown.find(".ts-estimates").classList.contains("ts-is-stale")).toBe(false);
    expect(shown.text("legend")).toContain("Dashed: as tested.");
  });

  test("is not shown without a kernel, nor where it cannot be met, and the page says of whom it is", async () => {
    const shown = mount(golden.tested, { stress: golden.stressed.traits.stress });
    expect(shown.el.textContent).toContain("the stress set elsewhere is not shown. This page has no kernel");
    expect(shown.el.textContent).toContain("Shown for the data as they are");
    const live = mount(golden.tested, { message: LIVE });
    live.receive("numbers", new Uint8Array(0));
    live.receive("decisions", golden.refused);
    live.receive("stress", golden.refused.stress);
    await painted();
    expect(live.el.textContent).toContain("There is no feature 'missing'");
    expect(live.text("error_rate")).toContain("%");
    live.receive("stress", UNSTRESSED);
    live.receive("numbers", bytes(golden.tested.buffers.numbers));
    live.receive("decisions", golden.tested.traits.decisions);
    await painted();
    expect(live.text("population")).toBe("the data as they are");
  });
});

describe("groups picked elsewhere", () => {
  test("are on their way, or cannot be had, after the population's words", async () => {
    const shown = mount(golden.tested, { message: LIVE });
    shown.receive("decisions", { ...golden.tested.traits.decisions, aside: " (before; more is computed…)" });
    await painted();
    expect(shown.text("population")).toBe("the data as they are (before; more is computed…)");
    expect(shown.text("error_rate")).toContain("%");
    shown.receive("stress", golden.stressed.traits.stress);
    await painted();
    expect(shown.text("population")).toBe("the data as they are (before; the kernel counts decisions anew…)");
  });

  test.each(["decisions", "message"] as const)(
    "take the place of those there were: %s first",
    async (first) => {
      const shown = mount(golden.groups, { thresholds: golden.groups.traits.message.groups.map(() => 0.5) });
      const rows = () => shown.all("metrics")[0]?.querySelectorAll("tbody tr").length ?? 0;
      const before = rows();
      shown.sliders()[0]?.focus();
      const { [first]: told, ...others } = traitsOf(golden.tested);
      Object.assign(shown.state, others);
      shown.receive(first, told);
      expect(shown.el.querySelector("[role=alert]")).toBeNull();
      await painted();
      expect(shown.el.querySelector("[role=alert]")).toBeNull();
      expect(rows()).toBeLessThan(before);
      expect(shown.sliders()).toHaveLength(1);
      expect(document.activeElement).toBe(shown.sliders()[0]);
      expect(shown.text("group-rows")).toBe("");
    },
  );

  test("without what goes with them are an error that is said", async () => {
    const shown = mount(golden.groups);
    shown.receive("decisions", golden.tested.traits.decisions);
    await painted();
    expect(shown.find("[role=alert]").textContent).toContain("These thresholds cannot be shown.");
  });
});
