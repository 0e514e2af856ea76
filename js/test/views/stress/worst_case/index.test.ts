// @vitest-environment jsdom

import { describe, expect, test } from "vitest";
import widget from "../../../../src/views/stress/worst_case/index";
import type { WorstCaseMessage, WorstPathMessage, WorstStepMessage } from "../../../../src/wire/messages";
import { readGolden } from "../../../support/golden";
import { isOff, mountView, painted, press, refuses } from "../../../support/view";

interface Kept {
  readonly amount: number;
  readonly stress: { taus: Record<string, number>; hold: string };
  readonly message: WorstCaseMessage;
  readonly path: WorstPathMessage;
}
const golden = readGolden<Record<"means" | "rows" | "reach", Kept>>("stress_worst_case.json");
const mount = (kept: Kept, traits: Record<string, unknown> = {}) => mountView(widget, { ...kept, ...traits });
const percent = (value: number) => (100 * value).toFixed(1);
const stepOf = (kept: Kept, at: number) => kept.path.steps.at(at) as WorstStepMessage;

describe("what cannot be read is refused", () => {
  const { message, path } = golden.means;
  refuses(
    (wrong) => mount(golden.means, wrong),
    [
      [{ message: { ...message, version: 2 } }, "version 2"],
      [{ message: { ...message, worse: "bad" } }, "worse"],
      [{ path: { ...path, steps: [] } }, "step"],
      [{ path: { ...path, steps: [{ ...path.steps[0], level: "sure" }] } }, "level"],
    ],
  );

  test("a message that is not there yet is waited for", () => {
    expect(mount(golden.means, { message: {} }).el.textContent).toContain("Waiting for the worst case");
  });
});

test("opens on all that was allowed: before, there with its interval, rows held out, and what it leans on", () => {
  const shown = mount(golden.means);
  const { value, lower, upper } = stepOf(golden.means, -1);
  const { before, held_out } = golden.means.message;
  expect(shown.text("headline")).toContain(
    `${percent(before)} % as tested, ${percent(value)} % (${percent(lower)} – ${percent(upper)}) in the worst case`,
  );
  expect(shown.text("chosen")).toContain(`${percent(lower)} – ${percent(upper)}`);
  expect(shown.text("held-out")).toContain(`${percent(held_out?.value ?? 0)} %`);
  expect(shown.text("population")).toContain("the worst case: means of slope, KL up to 0.02");
  expect(shown.text("ess")).toBe(stepOf(golden.means, -1).ess.toFixed(0));
  const first = stepOf(golden.means, -1).margins[0];
  expect(shown.find(".ts-love-row").textContent).toContain(first?.feature);
  expect(shown.el.querySelector("b b")).toBeNull();
});

test("keys go from one amount to the next, where rows held out are not read", async () => {
  const shown = mount(golden.means);
  const slider = shown.at<HTMLInputElement>("amount");
  expect(press(slider, "ArrowLeft").defaultPrevented).toBe(true);
  expect(shown.state.amount).toBe(0.8);
  expect(shown.text("headline")).toContain(`${percent(stepOf(golden.means, -2).value)} %`);
  expect(shown.text("headline")).toContain("(80 % of what was allowed)");
  expect(shown.at("held-out").closest("tr")?.hidden).toBe(true);
  expect(shown.text("unread")).toContain("at 100 % alone");
  press(slider, "Home");
  expect(shown.state.amount).toBe(0.2);
  expect(slider.getAttribute("aria-valuetext")).toBe("20 % of what was allowed");
  await painted();
  expect(shown.saves).toHaveBeenCalledTimes(1);
  shown.receive("amount", 1);
  await painted();
  expect(shown.at("held-out").closest("tr")?.hidden).toBe(false);
});

test("an amount typed is the nearest that was searched, and what is none is refused", () => {
  const shown = mount(golden.means);
  const box = shown.at<HTMLInputElement>("typed");
  const type = (text: string) => {
    box.value = text;
    box.dispatchEvent(new Event("input"));
    press(box, "Enter");
  };
  type("55 %");
  expect(shown.state.amount).toBe(0.6);
  type("half");
  expect(box.getAttribute("aria-invalid")).toBe("true");
  expect(shown.state.amount).toBe(0.6);
});

describe("use as stress", () => {
  test("sets the sliders of linked views to the worst case shown, once", async () => {
    const shown = mount(golden.means);
    expect(shown.text("using")).toContain("Moves the sliders of linked views");
    shown.at("use").focus();
    shown.at("use").click();
    expect(document.activeElement).toBe(shown.at("use"));
    expect(shown.state.stress).toEqual({ taus: stepOf(golden.means, -1).taus, hold: "none" });
    expect(isOff(shown.at("use"))).toBe(true);
    expect(shown.text("using")).toBe("The sliders of linked views stand here.");
    press(shown.at("amount"), "ArrowLeft");
    expect(isOff(shown.at("use"))).toBe(false);
    shown.receive("stress", { taus: {}, hold: "none" });
    await painted();
    expect(shown.text("using")).toContain("Moves the sliders");
  });

  test("says why it cannot, over rows", () => {
    const shown = mount(golden.rows);
    expect(isOff(shown.at("use"))).toBe(true);
    expect(shown.text("using")).toContain("Linked views cannot follow: sliders move means");
    expect(shown.text("notes")).toContain("this is a bound");
  });
});

test("the way to a value has its own words", () => {
  const shown = mount(golden.reach, { amount: 0.4 });
  expect(shown.at("amount").getAttribute("aria-label")).toBe("How much of the way");
  expect(shown.text("headline")).toContain("(40 % of the way)");
  expect(shown.at("unread").hidden).toBe(true);
});

test("amounts that are on their way are counted, and what kept them is said", async () => {
  const { path } = golden.means;
  const shown = mount(golden.means, { path: { ...path, steps: path.steps.slice(-1), done: 1 } });
  expect(shown.text("progress")).toContain("1 of 5");
  expect(shown.at<HTMLInputElement>("amount").disabled).toBe(true);
  shown.receive("path", path);
  await painted();
  expect(shown.at<HTMLInputElement>("amount").disabled).toBe(false);
  shown.receive("path", { ...path, problem: "It has left its study." });
  await painted();
  expect(shown.text("progress")).toBe("It has left its study.");
});
