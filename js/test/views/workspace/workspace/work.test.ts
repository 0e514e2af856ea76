// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as solver from "../../../../src/solve/stress/solver";
import { isStressed } from "../../../../src/wire/shared_stress";
import { jointExample } from "../../../support/joint_example";
import { stubResizeObserver } from "../../../support/resize_observer";
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

test("metrics that are hidden are not written, and right as soon as they are shown", () => {
  const { hide, show, watching } = stubResizeObserver();
  const joint = jointExample();
  const confusion = { rows_are: "truth", rows: ["no", "yes"], columns: ["no", "yes"], place: [0, 1, 2, 3] };
  const outcomes = { ...joint.message.outcomes, confusion };
  const state = { joint__message: { ...joint.message, outcomes } };
  const [hidden, shown] = [openWorkspace(state), openWorkspace(state)];
  expect(watching()).toBeGreaterThan(4);
  const metrics = ({ only }: typeof hidden) => only("panel-metrics");
  const words = (view: typeof hidden) =>
    [...metrics(view).querySelectorAll("b, td, .ts-love-row, .ts-confusion h3")].map(
      (one) => one.textContent,
    );
  vi.advanceTimersByTime(1000);
  const resting = words(hidden);
  hide(metrics(hidden));
  const written = new MutationObserver(() => undefined);
  written.observe(metrics(hidden), { subtree: true, childList: true, attributes: true, characterData: true });
  for (const view of [hidden, shown]) {
    for (let k = 0; k < 20; k++) view.press("age", "ArrowRight");
    vi.advanceTimersByTime(1000);
  }
  expect(written.takeRecords()).toEqual([]);
  expect(words(hidden)).toEqual(resting);
  expect(words(shown)).not.toEqual(resting);
  show(metrics(hidden));
  expect(words(hidden)).toEqual(words(shown));
  written.disconnect();
});

test("an effect that is hidden is told of nothing, and of the last stress when it is shown again", () => {
  const { hide, show } = stubResizeObserver();
  const { press, el, receive } = open();
  const effect = el.querySelector(".ts-effect") as HTMLElement;
  hide(effect);
  const written = new MutationObserver(() => undefined);
  written.observe(effect, { subtree: true, childList: true, attributes: true, characterData: true });
  const words = (shown: Element) =>
    ["moved", "epsilon-value", "population", "tv"].map(
      (testid) => shown.querySelector(`.ts-effect [data-testid="${testid}"]`)?.textContent,
    );
  const resting = words(el);
  for (let k = 0; k < 5; k++) press("age", "ArrowRight");
  receive("stress", { taus: { age: 0.4 }, hold: "none" });
  vi.advanceTimersByTime(1000);
  expect(written.takeRecords()).toEqual([]);
  show(effect);
  expect(words(el)).not.toEqual(resting);
  const { el: other } = open({ stress: { taus: { age: 0.4 }, hold: "none" } });
  expect(words(el)).toEqual(words(other));
  written.disconnect();
});
