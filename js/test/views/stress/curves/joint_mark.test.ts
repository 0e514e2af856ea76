// @vitest-environment jsdom
import { expect, test } from "vitest";
import { createChartPanel } from "../../../../src/views/stress/curves/chart_panel";
import type { JointEstimate, JointSource } from "../../../../src/views/stress/curves/joint_mark";
import { createCurvesView } from "../../../../src/views/stress/curves/view";
import type { Stress } from "../../../../src/wire/shared_stress";
import type { StressCurves } from "../../../../src/wire/stress/curves";
import { example } from "../../../support/example";
import { mountView } from "../../../support/view";

const STRESS = { taus: { age: 0.2, hours: 0.5 }, hold: "none" } as const;

/** The chart of a metric alone, with an answer of its own to a stress. */
function mount(value: number, stress: Stress = STRESS) {
  const answer: JointEstimate = { value, lower: value - 0.01, upper: value + 0.01, level: 0 };
  let changed = () => {};
  let now = answer;
  let answered = stress;
  const source: JointSource = {
    stress: () => answered,
    of: () => now,
    onChange(call) {
      changed = call;
    },
  };
  const given = example();
  const state = { ...given.traits, message: given.message, ...given.buffers, stress };
  const createPanel = (...given: [StressCurves, Parameters<typeof createChartPanel>[1]]) =>
    createChartPanel(...given, source, true);
  const view = mountView(createCurvesView({ root: "ts-stress-curves", createPanel, joint: source }), state);
  const sign = () => view.find(".ts-beside-sign");
  return {
    ...view,
    answer(value: number) {
      now = { ...answer, value };
      changed();
    },
    late(before: Stress) {
      answered = before;
      changed();
    },
    shape: () => sign().getAttribute("d"),
    turned: () =>
      sign()
        .getAttribute("transform")
        ?.match(/rotate\((.*)\)/)?.[1],
    title: () => view.find(".ts-beside title").textContent,
  };
}

test("a value within the axis is a diamond with its number, for the pointer and in words", () => {
  const view = mount(0.3);
  expect(view.text("joint-now")).toMatch(/^◆ in the population shown 30\.0 %/);
  expect(view.text("beyond-axis")).toBe("");
  expect(view.turned()).toBe("0");
  expect(view.title()).toMatch(/^In the population shown: .* 30\.0 % \(29\.0 – 31\.0\)$/);
});

test("one beyond the axis is an arrow to where it lies, and is said to be", () => {
  const view = mount(0.3);
  const diamond = view.shape();
  view.answer(0.98);
  expect(view.shape()).not.toBe(diamond);
  expect(view.turned()).toBe("-90");
  expect(view.text("joint-now")).toMatch(/^▴ in the population shown 98\.0 %.*, beyond the axis$/);
  expect(view.title()).toContain("98.0 %");
  view.answer(-0.5);
  expect(view.turned()).toBe("90");
  expect(view.text("joint-now")).toMatch(/^▾ .*, beyond the axis$/);
  view.answer(0.3);
  expect(view.shape()).toBe(diamond);
  expect(view.text("joint-now")).toMatch(/^◆/);
});

test("between two steps of the curves the readout has the answer itself, and needs no words", () => {
  const between = { taus: { age: 0.3 }, hold: "none" } as const;
  const view = mount(0.3, between);
  expect(view.text("value")).toBe("30.0 %");
  expect(view.text("interval")).toBe("29.0 – 31.0");
  expect(view.find(".ts-readout").textContent).toContain("at τ = 0.30");
  expect(view.at("elsewhere").hidden).toBe(true);
  expect(view.at("joint-now").hidden).toBe(true);
  // until it is there, the nearest step is shown and said
  view.late({ taus: { age: 0.28 }, hold: "none" });
  expect(view.find(".ts-readout").textContent).toContain("at τ = 0.25");
  expect(view.text("elsewhere")).toContain("shown is the nearest step of these curves, τ 0.25");
});
