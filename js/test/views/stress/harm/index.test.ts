// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/harm/index";
import { afterKey, decodeStressHarm } from "../../../../src/views/stress/harm/state";
import type { StressHarmMessage } from "../../../../src/wire/messages";
import { readGolden } from "../../../support/golden";
import { isOff, leavesNothing, mountView, painted, press, refuses } from "../../../support/view";

type Numbers = "change" | "lower" | "upper" | "value" | "mean" | "target" | "tau" | "ess";
type Expected = { feature: string; direction: string; reliability: string; note: string } & Record<
  Numbers,
  number | null
>;
interface Golden {
  readonly message: StressHarmMessage;
  readonly traits: { stress: { taus: Record<string, number>; hold: string } };
  readonly expected: readonly Expected[];
}

const golden = readGolden<Golden>("stress_harm.json");
const within = golden.expected.filter(({ reliability }) => reliability !== "out of reach");
const UNSTRESSED = { taus: {}, hold: "none" };

function mount(traits: Record<string, unknown> = {}) {
  const view = mountView(widget, { stress: UNSTRESSED, message: golden.message, ...traits });
  const bars = () => view.all("shift");
  const chosen = () => bars().findIndex((bar) => bar.getAttribute("aria-selected") === "true");
  return { ...view, bars, chosen };
}

function stressOf({ feature, tau }: Expected) {
  return { taus: { [feature]: tau }, hold: "none" };
}

test("every row that Python names is found, in its order", () => {
  const data = decodeStressHarm(golden.message);
  expect(golden.expected.length).toBe(data.shifts.length + data.away.length);
  const order = [...data.shifts, ...data.away];
  for (const [k, row] of golden.expected.entries()) {
    const found = order[k] as (typeof order)[number];
    expect([found.feature, found.direction, found.reliability, found.note]).toEqual([
      row.feature,
      row.direction,
      row.reliability,
      row.note,
    ]);
    for (const name of ["change", "lower", "upper", "value", "mean", "target", "tau", "ess"] as const) {
      if (row[name] === null) expect(found[name]).toBeNaN();
      else expect(found[name]).toBe(row[name]);
    }
  }
});

describe("what cannot be read is refused", () => {
  const { message } = golden;
  refuses(
    (wrong) => mount({ message: wrong }),
    [
      [{ ...message, version: 2 }, "version 2"],
      [{ ...message, hold: "some" }, "hold"],
      [{ ...message, shifts: [{ ...message.shifts[0], reliability: "fair" }] }, "shifts[0].reliability"],
      [{ ...message, shifts: [{ ...message.shifts[0], tau: null }] }, "shifts[0].tau"],
    ],
  );

  test("a message that is not there yet is waited for", async () => {
    const shown = mount({ message: {} });
    expect(shown.el.textContent).toContain("Waiting for the shifts");
    shown.receive("message", message);
    await painted();
    expect(shown.bars()).toHaveLength(within.length);
  });
});

test("a bar for each shift in the order of the table, those few rows carry last and marked", () => {
  const shown = mount();
  const words = shown.bars().map((bar) => bar.textContent ?? "");
  expect(words).toHaveLength(within.length);
  for (const [k, { feature, reliability }] of within.entries()) {
    expect(words[k]).toContain(feature);
    expect(words[k]?.endsWith(reliability)).toBe(reliability !== "reliable");
    expect(shown.bars()[k]?.classList.contains(`ts-is-${reliability}`)).toBe(true);
  }
  expect(shown.el.querySelectorAll(".ts-shift-bar")).toHaveLength(within.length);
  expect(shown.el.querySelectorAll(".ts-whisker")).toHaveLength(within.length);
  expect(shown.el.querySelector(".ts-title")?.textContent).toContain("the error rate");
  expect(shown.el.querySelector(".ts-title")?.textContent).toContain(
    "8 % of the weight moved by each, 300 rows",
  );
  expect(shown.el.querySelector("b b")).toBeNull();
});

test("bars start at zero and end at the change, whiskers are the interval", () => {
  const shown = mount();
  const ends = (element: Element) => {
    const { left, width } = (element as HTMLElement).style;
    return [Number.parseFloat(left), Number.parseFloat(left) + Number.parseFloat(width)] as const;
  };
  const [a, b] = [within[0] as Expected, within[1] as Expected];
  const read = within.filter(({ reliability }) => reliability !== "unreliable");
  const low = Math.min(...read.map(({ lower }) => lower as number));
  const all = [...read.map(({ upper }) => upper), ...within.map(({ change }) => change)] as number[];
  const at = (value: number | null) => (100 * ((value as number) - low)) / (Math.max(...all) - low);
  for (const [k, row] of [a, b].entries()) {
    const bar = ends(shown.bars()[k]?.querySelector(".ts-shift-bar") as Element);
    expect(bar[0]).toBeCloseTo(at(Math.min(0, row.change as number)), 1);
    expect(bar[1]).toBeCloseTo(at(Math.max(0, row.change as number)), 1);
    const whisker = ends(shown.bars()[k]?.querySelector(".ts-whisker") as Element);
    expect(whisker[0]).toBeCloseTo(at(row.lower), 1);
    expect(whisker[1]).toBeCloseTo(at(row.upper), 1);
  }
  const doubtful = within.findIndex(({ reliability }) => reliability === "unreliable");
  for (const element of shown.bars()[doubtful]?.querySelectorAll("i") ?? []) {
    expect(Number.parseFloat((element as HTMLElement).style.left)).toBeGreaterThanOrEqual(0);
  }
});

test("what cannot be moved so far is said, and is no bar", () => {
  const shown = mount();
  const away = golden.expected.filter(({ reliability }) => reliability === "out of reach");
  expect(away.length).toBeGreaterThan(0);
  expect(shown.el.textContent).toContain(`${away.length} cannot be moved so far`);
  expect(shown.at("away").children).toHaveLength(away.length);
  expect(shown.text("away")).toContain("down moves 2.33 % of the weight at most");
});

test("arrow keys choose a bar, and the shared stress is its shift", async () => {
  const shown = mount();
  const list = shown.at("shifts");
  expect(shown.chosen()).toBe(-1);
  expect(press(list, "ArrowDown").defaultPrevented).toBe(true);
  expect(shown.chosen()).toBe(0);
  expect(shown.state.stress).toEqual(stressOf(within[0] as Expected));
  press(list, "ArrowDown");
  expect(shown.state.stress).toEqual(stressOf(within[1] as Expected));
  expect(list.getAttribute("aria-activedescendant")).toBe(shown.bars()[1]?.id);
  await painted();
  expect(shown.saves).toHaveBeenCalledTimes(1);
  press(list, "End");
  expect(shown.state.stress).toEqual(stressOf(within.at(-1) as Expected));
  press(list, "Home");
  expect(shown.chosen()).toBe(0);
  press(list, "Escape");
  expect(shown.chosen()).toBe(-1);
  expect(shown.state.stress).toEqual(UNSTRESSED);
  expect(list.hasAttribute("aria-activedescendant")).toBe(false);
  expect(press(list, "x").defaultPrevented).toBe(false);
  expect(press(list, "ArrowDown", { ctrlKey: true }).defaultPrevented).toBe(false);
});

test("a click chooses a bar, and the readout says its numbers", () => {
  const shown = mount();
  expect(shown.text("population")).toContain("The data as they are");
  expect(isOff(shown.at("reset"))).toBe(true);
  const place = within.findIndex(({ feature, change }) => feature === "signed" && (change as number) > 0);
  shown.bars()[place]?.querySelector<HTMLElement>(".ts-shift-name")?.click();
  const first = within[place] as Expected;
  expect(shown.state.stress).toEqual(stressOf(first));
  expect(shown.text("population")).toContain(`${first.feature} `);
  expect(shown.text("population")).toMatch(/→ .* on average, otherwise as similar as possible$/);
  const points = (100 * (first.change as number)).toFixed(2);
  expect(shown.text("change")).toContain(`+${points} points`);
  expect(shown.text("interval")).toContain(`+${(100 * (first.upper as number)).toFixed(2)} points`);
  expect(shown.text("value")).toContain(`→ ${(100 * (first.value as number)).toFixed(2)} %`);
  expect(shown.text("ess")).toBe(`${Math.round(first.ess as number)} of 300`);
  expect(shown.text("trust")).toBe("Reliable: the number and its interval can be read.");
  shown.at("reset").click();
  expect(shown.state.stress).toEqual(UNSTRESSED);
  expect(shown.text("value")).toContain("as tested");
});

test("why a shift is not reliable is said in words", () => {
  const shown = mount();
  const doubtful = within.findIndex(({ reliability }) => reliability === "wide");
  shown.bars()[doubtful]?.click();
  expect(shown.text("trust")).toContain("Wide: only 7 rows lie at or beyond the target");
  expect(shown.at("trust").classList.contains("ts-doubtful")).toBe(false);
  expect(shown.text("population")).toMatch(/^share of /);
});

test("dates are dates", () => {
  const shown = mount();
  const dated = within.findIndex(({ feature }) => feature === "signed");
  expect(shown.bars()[dated]?.textContent).toMatch(/20\d\d-\d\d-\d\d → 20\d\d-\d\d-\d\d/);
});

test("names are cut in the middle, whole for who asks", () => {
  const shown = mount();
  const long = within.findIndex(({ feature }) => feature.startsWith("a column with"));
  const name = shown.bars()[long]?.querySelector(".ts-shift-name");
  expect(name?.children).toHaveLength(2);
  expect(name?.textContent).toBe(within[long]?.feature);
  expect(name?.getAttribute("title")).toBe(within[long]?.feature);
});

test("opens at the stress of the traits, and follows a linked view without writing", () => {
  const shown = mount(golden.traits);
  expect(shown.chosen()).toBe(0);
  const asked = stressOf(within[2] as Expected);
  shown.receive("stress", asked);
  expect(shown.chosen()).toBe(2);
  expect(shown.state.stress).toBe(asked);
  expect(shown.at("elsewhere").hidden).toBe(true);
  const foreign = { taus: { slope: 0.123, other: -1 }, hold: "none" };
  shown.receive("stress", foreign);
  expect(shown.chosen()).toBe(-1);
  expect(shown.text("elsewhere")).toBe(
    "The stress set elsewhere moves slope (τ 0.12) and other (τ −1.00), and is none of these shifts.",
  );
  expect(shown.state.stress).toBe(foreign);
  shown.receive("stress", { ...stressOf(within[0] as Expected), hold: "means" });
  expect(shown.chosen()).toBe(-1);
  shown.receive("stress", { taus: { slope: "far" } });
  expect(shown.text("population")).toContain("The data as they are");
});

test("a hold of the curves is the bars' own", () => {
  const shown = mount({ message: { ...golden.message, hold: "means" } });
  press(shown.at("shifts"), "ArrowDown");
  expect(shown.state.stress).toEqual({ ...stressOf(within[0] as Expected), hold: "means" });
  expect(shown.text("population")).toContain("the other means held");
});

test("no shift within reach says so", () => {
  const shifts = golden.message.shifts.filter(({ reliability }) => reliability === "out of reach");
  const shown = mount({ message: { ...golden.message, shifts } });
  expect(shown.bars()).toHaveLength(0);
  expect(shown.el.textContent).toContain("No feature can be moved so far");
});

leavesNothing(mount);

test("keys stop at the ends", () => {
  expect(afterKey("ArrowUp", 0, 5)).toBe(0);
  expect(afterKey("PageDown", 1, 5)).toBe(4);
  expect(afterKey("ArrowUp", null, 5)).toBe(4);
  expect(afterKey("ArrowDown", null, 0)).toBeUndefined();
  expect(afterKey("Tab", 1, 5)).toBeUndefined();
});
