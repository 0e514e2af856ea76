// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as solver from "../../../../src/solve/stress/solver";
import { isStressed } from "../../../../src/wire/shared_stress";
import { openWorkspace, withEffect } from "../../../support/workspace_view";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A workspace with its effect open, and the stresses solved since. */
function open(state: Record<string, unknown> = {}) {
  const solving = vi.spyOn(solver, "solveStress");
  const view = openWorkspace({ ...withEffect(), ...state });
  vi.advanceTimersByTime(1000);
  solving.mockClear();
  const solved = () =>
    solving.mock.calls.filter(([, stress]) => isStressed(stress)).map(([, { taus }]) => taus);
  return { ...view, solved };
}

test("a press is solved once, for the sliders and the effect", () => {
  const { press, solved, only, el } = open();
  const known = only("tv").textContent;
  press("age", "ArrowRight");
  press("age", "ArrowRight");
  vi.advanceTimersByTime(1000);
  expect(solved()).toEqual([{ age: 0.01 }, { age: 0.02 }]);
  expect(only("tv").textContent).not.toBe(known);
  const moved = el.querySelector(".ts-effect .ts-chosen")?.getAttribute("d");
  expect(moved).toMatch(/^M/);
});
