import { expect, test } from "vitest";
import { createHistory } from "../../../../src/views/workspace/workspace/history";
import { type Stress, UNSTRESSED } from "../../../../src/wire/shared_stress";

const at = (tau: number): Stress => ({ taus: { age: tau }, hold: "none" });

function open() {
  let now = 0;
  const history = createHistory(UNSTRESSED, () => now);
  const after = (milliseconds: number, stress: Stress) => {
    now += milliseconds;
    history.add(stress);
  };
  return { history, after };
}

test("steps in quick succession are one move", () => {
  const { history, after } = open();
  for (const tau of [0.1, 0.2, 0.3]) after(100, at(tau));
  expect(history.step(-1)).toEqual(UNSTRESSED);
  expect(history.step(-1)).toBeNull();
  expect(history.step(1)).toEqual(at(0.3));
  expect(history.step(1)).toBeNull();
});

test("a move after a rest is one of its own", () => {
  const { history, after } = open();
  after(1000, at(0.1));
  after(1000, at(0.5));
  expect(history.step(-1)).toEqual(at(0.1));
  expect(history.step(-1)).toEqual(UNSTRESSED);
});

test("a move after going back replaces what was ahead, however soon it comes", () => {
  const { history, after } = open();
  after(1000, at(0.1));
  after(1000, at(0.5));
  history.step(-1);
  history.add(at(0.1)); // what the page says of the step itself
  expect(history.can(1)).toBe(true);
  after(10, at(-0.2));
  expect(history.can(1)).toBe(false);
  expect(history.step(-1)).toEqual(at(0.1));
});
